import { PageFrame } from '../../ui/PageFrame';
import { RulesText } from './RulesText';
import { useRules } from './useRules';
import type { Rules, Version } from './api';

export interface RulesPageProps {
  /** As the address names it: a number or a month; without it the rules of this month are shown. */
  version?: string | undefined;
}

/** The official rules, word for word as they are stored, with their version and hash. */
export function RulesPage({ version }: RulesPageProps) {
  const { rules, error, retry } = useRules(version);
  return (
    <PageFrame>
      <article className="legal" aria-busy={!rules && !error}>
        {rules ? (
          <WholeRules rules={rules} />
        ) : (
          <>
            <h1 tabIndex={-1}>Official rules</h1>
            {error?.status === 404 && <Unknown />}
            {error && error.status !== 404 && (
              <div className="failed" role="alert">
                <p>{error.sentence}</p>
                <button type="button" className="button quiet" onClick={retry}>
                  Try again
                </button>
              </div>
            )}
            {!error && (
              <p role="status" className="needs-script">
                Loading...
              </p>
            )}
          </>
        )}
        <noscript>
          <p>
            This page needs JavaScript to show the versions. You can read the rules on the page{' '}
            <a href="/terms">Terms &amp; Conditions</a>, and all that this page shows at{' '}
            <a href="/api/rules">/api/rules</a>.
          </p>
        </noscript>
      </article>
    </PageFrame>
  );
}

function Unknown() {
  return (
    <p>
      There is no such version of the rules. <a href="/rules">See the rules of this month</a>.
    </p>
  );
}

function WholeRules({ rules }: { rules: Rules }) {
  return (
    <>
      <RulesText text={rules.text} />
      <section>
        <h2 id="version">Version {rules.version}</h2>
        <p>
          {rules.versions ? 'These are the rules of this month. ' : ''}
          They were stored on {dayOf(rules.createdAt)} and count from {monthOf(rules.fromPeriod)}{' '}
          on, until a later version does.
        </p>
        <p>
          SHA-256 of the text: <code>{rules.hash}</code>
        </p>
        <p>
          <a href={`/api/rules/${rules.version}`}>This version as JSON</a>: the hash is that of the
          bytes of <code>text</code> in UTF-8.
        </p>
      </section>
      {rules.versions ? (
        <Versions versions={rules.versions} shown={rules.version} />
      ) : (
        <p>
          <a href="/rules">See the rules of this month and all versions</a>
        </p>
      )}
    </>
  );
}

interface VersionsProps {
  /** The newest first. */
  versions: Version[];
  shown: number;
}

function Versions({ versions, shown }: VersionsProps) {
  return (
    <section>
      <h2>All versions</h2>
      <ul>
        {versions.map(({ version, fromPeriod, createdAt, hash }) => (
          <li key={version}>
            <a href={`/rules/${version}`}>Version {version}</a>, from {monthOf(fromPeriod)}, stored
            on {dayOf(createdAt)}
            {version === shown && ' (shown here)'}
            {version > shown && ' (does not count yet)'}
            <br />
            <code>{hash}</code>
          </li>
        ))}
      </ul>
    </section>
  );
}

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });
const month = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });

const dayOf = (moment: string) => `${day.format(new Date(moment))} (UTC)`;
const monthOf = (period: string) => month.format(new Date(`${period}-01T00:00:00Z`));
