import { useQueryState } from '../lib/useQueryState';
import { useAllowed } from '../session/me';
import { Allowed } from '../ui/Allowed';
import { Tabs } from '../ui/Tabs';
import { settingsTabs } from './settingsTabs';
import { useWaiting } from './useWaiting';

/** How this site is run, and by whom: tabs that several features fill. */
export function SettingsScreen() {
  const [query, setQuery] = useQueryState();
  const allowed = useAllowed();
  const waiting = useWaiting();
  const tab = settingsTabs.find(({ key }) => key === query.get('tab')) ?? settingsTabs[0];
  const shown = settingsTabs
    .filter(({ key, needs }) => key === tab.key || !needs || allowed(needs))
    .map((each) => ({ ...each, waiting: waiting(each.waits) }));
  const content = (
    <Allowed needs={tab.needs}>
      <tab.Screen />
    </Allowed>
  );
  const open = (key: string) => setQuery({ section: 'settings', tab: key }, { clear: true });
  return (
    <>
      <header className="screen-head">
        <h1>Settings</h1>
      </header>
      {shown.length === 1 ? (
        content
      ) : (
        <Tabs label="Settings" tabs={shown} value={tab.key} onChange={open}>
          {content}
        </Tabs>
      )}
    </>
  );
}
