import { Activity } from './Activity';
import { ClearData } from './ClearData';
import { TextProvider } from './TextProvider';

export function SettingsSection() {
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
    </>
  );
}
