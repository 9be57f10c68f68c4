import {
  YourEntryPage,
  type YourEntryPageProps,
} from '../features/success/yourEntry/YourEntryPage';
import { StoreProvider } from './StoreProvider';

export type YourEntryScreenProps = YourEntryPageProps;

/** The screen behind a success page. */
export function YourEntryScreen(props: YourEntryScreenProps) {
  return (
    <StoreProvider>
      <YourEntryPage {...props} />
    </StoreProvider>
  );
}
