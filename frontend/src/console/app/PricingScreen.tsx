import { ClearData } from '../features/clearData/ClearData';
import { PricingTab } from '../features/pricing/PricingTab';
import { TextProvider } from '../features/textProvider/TextProvider';
import { useMay } from '../session/me';

/** What is sold, the account that texts are sent with, and what can be cleared. */
export function PricingScreen() {
  const mayClear = useMay('clear_data');
  return (
    <div className="grid">
      <PricingTab />
      <TextProvider />
      {mayClear && (
        <ClearData title="System settings" kinds={['analytics', 'referrals', 'campaigns']} />
      )}
    </div>
  );
}
