import { Activity } from '../features/auditLog/Activity';
import { useGetSettingsQuery } from '../api/admin';
import { ClearData } from '../features/clearData/ClearData';
import { TextProvider } from '../features/textProvider/TextProvider';
import { useAllowed } from '../session/me';

export function GeneralSettings() {
  const { data } = useGetSettingsQuery();
  const allowed = useAllowed();
  return (
    <>
      <div className="grid">
        <TextProvider />
        {allowed('clear_data') && (
          <ClearData
            title="Clear data"
            kinds={['analytics', 'referrals', 'sms']}
            announcesFailures
          />
        )}
        {allowed('view_audit_log') && <Activity />}
      </div>
      {data && <p className="stale">Tombola {data.version}</p>}
    </>
  );
}
