import { formatDateTime } from '../../../shared/lib/format';
import { useGetOpeningQuery, type OpeningCheckView } from '../../api/admin';
import { refreshed } from '../../lib/polled';
import { useMay } from '../../session/me';
import { Badge } from '../../ui/Badge';
import { Card } from '../../ui/Card';
import { QueryLink } from '../../ui/QueryLink';
import { QueryView } from '../../ui/states';
import { missingOf, stateWords, words } from './words';

/** What this site needs before visitors come, each with its state and what to do. */
export function Opening() {
  const query = useGetOpeningQuery(undefined, refreshed);
  return (
    <>
      <header className="screen-head">
        <h1>Before you open</h1>
      </header>
      <Card title="What this site needs" note="Before visitors come, and as long as they do">
        <QueryView query={query}>
          {({ checks }) => (
            <>
              <p className="opening-summary">{summaryOf(checks)}</p>
              <ul className="opening-checks">
                {checks.map((check) => (
                  <Check key={check.name} check={check} />
                ))}
              </ul>
            </>
          )}
        </QueryView>
      </Card>
    </>
  );
}

function summaryOf(checks: OpeningCheckView[]): string {
  const missing = missingOf(checks).length;
  if (missing) return `${missing} of ${checks.length} still missing.`;
  const isReady = checks.every(({ state }) => state === 'ready');
  return isReady ? 'Everything is ready.' : 'You can open. What can wait is marked.';
}

function Check({ check }: { check: OpeningCheckView }) {
  const { title, screen } = words[check.name];
  const { word, tone } = stateWords[check.state];
  const isOpen = useMay(screen?.needs ?? 'own_account');
  return (
    <li className="opening-check">
      <h3>
        {title} <Badge tone={tone}>{word}</Badge>
      </h3>
      <p>
        {check.message}
        {check.at && ` It is on ${formatDateTime(check.at)}.`}
      </p>
      {screen && isOpen && (
        <QueryLink change={screen.change} clear>
          {screen.label}
        </QueryLink>
      )}
    </li>
  );
}
