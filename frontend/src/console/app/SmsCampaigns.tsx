import { useQueryState } from '../lib/useQueryState';
import { Tabs } from '../ui/Tabs';
import { smsTabOf, smsTabs } from './smsTabs';

/** Texts to many: tabs that several features fill. */
export function SmsCampaigns() {
  const [query, setQuery] = useQueryState();
  const { key, Screen } = smsTabOf(query.get('tab'));
  return (
    <>
      <header className="screen-head">
        <h1>SMS Campaigns</h1>
      </header>
      <Tabs
        label="SMS Campaigns"
        tabs={smsTabs}
        value={key}
        onChange={(tab) => setQuery({ section: 'sms', tab }, { clear: true })}
      >
        <Screen />
      </Tabs>
    </>
  );
}
