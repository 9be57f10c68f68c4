import { PricingTab } from '../features/pricing/PricingTab';
import { TextProvider } from '../features/textProvider/TextProvider';

/** What is sold, and the account that texts are sent with. */
export function PricingScreen() {
  return (
    <div className="grid">
      <PricingTab />
      <TextProvider />
    </div>
  );
}
