import { useQueryState } from '../lib/useQueryState';
import { useAllowed } from '../session/me';
import { Allowed } from '../ui/Allowed';
import { Tabs } from '../ui/Tabs';
import { smsTabOf, smsTabs } from './smsTabs';

/** Texts to many: tabs that several features fill. */
export function SmsCampaigns() {
  const [query, setQuery] = useQueryState();
  const { key, Screen, needs } = smsTabOf(query.get('tab'));
  const allowed = useAllowed();
  return (
    <>
      <header className="screen-head">
        <h1>SMS Campaigns</h1>
      </header>
      <Tabs
        label="SMS Campaigns"
        tabs={smsTabs.filter((each) => each.key === key || !each.needs || allowed(each.needs))}
        value={key}
        onChange={(tab) => setQuery({ section: 'sms', tab }, { clear: true })}
      >
        <Allowed needs={needs}>
          <Screen />
        </Allowed>
      </Tabs>
    </>
  );
}
