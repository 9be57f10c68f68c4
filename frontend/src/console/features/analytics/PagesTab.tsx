import { PagePerformance } from './PagePerformance';
import { SampleLinks } from './SampleLinks';
import { ShowcaseLinks } from './ShowcaseLinks';
import { Trends } from './Trends';

export function PagesTab() {
  return (
    <div className="grid">
      <PagePerformance />
      <Trends />
      <ShowcaseLinks />
      <SampleLinks />
    </div>
  );
}
