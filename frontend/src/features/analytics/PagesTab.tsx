import { PagePerformance } from './PagePerformance';
import { SampleLinks } from './SampleLinks';
import { Trends } from './Trends';

export function PagesTab() {
  return (
    <div className="grid">
      <PagePerformance />
      <Trends />
      <SampleLinks />
    </div>
  );
}
