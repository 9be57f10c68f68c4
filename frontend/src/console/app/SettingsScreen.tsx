import { Activity } from '../features/auditLog/Activity';
import { useGetSettingsQuery } from '../api/admin';
import { ClearData } from '../features/clearData/ClearData';
import { TextProvider } from '../features/textProvider/TextProvider';

export function SettingsScreen() {
  const { data } = useGetSettingsQuery();
  return (
    <>
      <header className="screen-head">
        <h1>Settings</h1>
      </header>
      <div className="grid">
        <TextProvider />
        <ClearData title="Clear data" kinds={['analytics', 'referrals', 'sms']} announcesFailures />
        <Activity />
      </div>
      {data && <p className="stale">Tombola {data.version}</p>}
    </>
  );
}
