import { useBoost } from '../features/purchase/useBoost';
import { known } from '../features/success/early/known';
import { SuccessPage, type SuccessPageProps } from '../features/success/SuccessPage';
import type { Figures } from '../lib/early';
import { LogWitness } from './LogWitness';
import { StoreProvider } from './StoreProvider';

export interface SuccessScreenProps extends Omit<SuccessPageProps, 'boost'> {
  /** What the boot script asked for and wrote into the page: it is not asked for again. */
  figures?: Figures | undefined;
}

/** The success page with what can be bought on it. */
export function SuccessScreen({ figures, ...props }: SuccessScreenProps) {
  return (
    <StoreProvider first={figures && known(figures)}>
      <LogWitness />
      <BoostedPage {...props} />
    </StoreProvider>
  );
}

function BoostedPage(props: SuccessPageProps) {
  return (
    <SuccessPage {...props} boost={useBoost(Number(props.userId), props.copy.raffle.isOpen)} />
  );
}
