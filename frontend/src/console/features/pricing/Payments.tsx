import { useListEntryPackagesQuery } from '../../api/admin';
import { useRefreshing } from '../../lib/polled';
import { Card } from '../../ui/Card';
import { Loading, QueryView } from '../../ui/states';

const settings = ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET'];

/** Whether payments are configured: users get the provider's key together with the packages. */
export function Payments() {
  const offer = useListEntryPackagesQuery(undefined, useRefreshing());
  return (
    <Card title="Payments">
      <QueryView query={offer} loading={<Loading lines={2} />}>
        {({ publishableKey }) => (publishableKey === null ? <NotConfigured /> : <Configured />)}
      </QueryView>
    </Card>
  );
}

function Configured() {
  return <p>A payment provider is configured. Users can pay by card, Apple Pay and Google Pay.</p>;
}

function NotConfigured() {
  return (
    <div className="notice">
      <p>
        <strong>Payments are not configured</strong>
      </p>
      <p>
        Users see no packages, even while pricing is shown. Set these on the server to the keys of
        your Stripe account, and restart it:
      </p>
      <ul className="settings-list">
        {settings.map((name) => (
          <li key={name} className="code">
            {name}
          </li>
        ))}
      </ul>
    </div>
  );
}
