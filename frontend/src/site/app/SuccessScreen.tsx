import { useBoost } from '../features/purchase/useBoost';
import { SuccessPage, type SuccessPageProps } from '../features/success/SuccessPage';
import { LogWitness } from './LogWitness';
import { StoreProvider } from './StoreProvider';

export type SuccessScreenProps = Omit<SuccessPageProps, 'boost'>;

/** The success page with what can be bought on it. */
export function SuccessScreen(props: SuccessScreenProps) {
  return (
    <StoreProvider>
      <LogWitness />
      <BoostedPage {...props} />
    </StoreProvider>
  );
}

function BoostedPage(props: SuccessScreenProps) {
  return <SuccessPage {...props} boost={useBoost(Number(props.userId))} />;
}
