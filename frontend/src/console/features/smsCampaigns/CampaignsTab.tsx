import { useQueryState } from '../../lib/useQueryState';
import { useKeptFocus } from '../../lib/useKeptFocus';
import { CampaignList } from './CampaignList';
import { Report } from './Report';

/** The list, or one campaign's report: which one stands in the address. */
export function CampaignsTab() {
  const [query] = useQueryState();
  const id = Number(query.get('campaign'));
  const part = useKeptFocus();
  return (
    <div className="grid" {...part}>
      {Number.isSafeInteger(id) && id > 0 ? <Report key={id} id={id} /> : <CampaignList />}
    </div>
  );
}
