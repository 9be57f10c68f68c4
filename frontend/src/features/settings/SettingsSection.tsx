import { Activity } from './Activity';
import { ClearData } from './ClearData';

export function SettingsSection() {
  return (
    <>
      <header className="screen-head">
        <h1>Settings</h1>
      </header>
      <div className="grid">
        <ClearData title="Clear data" announcesFailures />
        <Activity />
      </div>
    </>
  );
}
