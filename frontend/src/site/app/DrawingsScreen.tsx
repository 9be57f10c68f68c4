import { DrawingsPage, type DrawingsPageProps } from '../features/drawings/DrawingsPage';
import { StoreProvider } from './StoreProvider';

export function DrawingsScreen(props: DrawingsPageProps) {
  return (
    <StoreProvider>
      <DrawingsPage {...props} />
    </StoreProvider>
  );
}
