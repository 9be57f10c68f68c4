import { Packages } from './Packages';
import { Payments } from './Payments';
import { ShowPricing } from './ShowPricing';

export function PricingTab() {
  return (
    <div className="grid">
      <div className="grid" data-columns="2">
        <ShowPricing />
        <Payments />
      </div>
      <Packages />
    </div>
  );
}
