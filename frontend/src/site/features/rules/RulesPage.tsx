import { useState } from 'react';
import { PageFrame } from '../../ui/PageFrame';
import { monthOf } from './months';
import { Prizes, prizesSection } from './Prizes';
import { afterPrinted, printedHere } from './printed';
import { Blocks, RulesText } from './RulesText';
import { useRules } from './useRules';
import type { Rules, Version } from './api';

export interface RulesPageProps {
  /** As the address names it: a number or a month; without it the rules of this month are shown. */
  version?: string | undefined;
  /** The text as HTML where the page is prerendered; a browser has it in the page. */
  printed?: string;
}

const versionsSection = { id: 'version', heading: 'Versions' };

/** What follows the text of the rules: what can be won only where the rules of this month are shown. */
export const sectionsAfter = (hasPrizes: boolean) =>
  hasPrizes ? [prizesSection, versionsSection] : [versionsSection];

/** The official rules, word for word as they are stored, with their version and hash. */
export function RulesPage({ version, printed: given }: RulesPageProps) {
  const [printed] = useState(() => given ?? printedHere());
  const { rules, error, retry } = useRules(version);
  const rest = rules ? afterPrinted(printed, rules.text) : '';
  const isKept = printed !== '' && rest !== undefined;
  return (
    <PageFrame>
      <article className="legal" aria-busy={!isKept && !rules && !error}>
        {isKept ? (
          <div className="printed" dangerouslySetInnerHTML={{ __html: printed }} />
        ) : rules ? (
          <RulesText text={rules.text} more={sectionsAfter(rules.prizes !== undefined)} />
        ) : (
          <h1 tabIndex={-1}>Official rules</h1>
        )}
        {/* Another element once it is known: nothing that was seen moves. */}
        <div key={rules?.version}>
          {isKept && <Blocks text={rest} />}
          {rules?.prizes && <Prizes prizes={rules.prizes} />}
          {rules ? (
            <WhichVersion rules={rules} />
          ) : (
            <>
              {isKept && <h2 id={prizesSection.id}>{prizesSection.heading}</h2>}
              {error?.status === 404 && version !== undefined ? (
                <Unknown />
              ) : (
                <Missing error={error} onRetry={retry} />
              )}
              {isKept && <h2 id={versionsSection.id}>{versionsSection.heading}</h2>}
            </>
          )}
          <noscript>
            <p>
              The numbers of this site, what can be won and the versions need JavaScript here. Which
              version counts this month, with its whole text and its hash, and the prize of each
              raffle are at <a href="/api/rules">/api/rules</a>. The newest text is on the page of
              the <a href="/rules">official rules</a>.
            </p>
          </noscript>
        </div>
      </article>
    </PageFrame>
  );
}

interface MissingProps {
  error: ReturnType<typeof useRules>['error'];
  onRetry: () => void;
}

function Missing({ error, onRetry }: MissingProps) {
  if (!error) {
    return (
      <p role="status" className="needs-script">
        Loading...
      </p>
    );
  }
  return (
    <div className="failed" role="alert">
      <p>{error.sentence}</p>
      <button type="button" className="button quiet" onClick={onRetry}>
        Try again
      </button>
    </div>
  );
}

function Unknown() {
  return (
    <p>
      There is no such version of the rules. <a href="/rules">See the rules of this month</a>.
    </p>
  );
}

function WhichVersion({ rules }: { rules: Rules }) {
  return (
    <>
      <section>
        <h2 id={versionsSection.id}>Version {rules.version}</h2>
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

const dayOf = (moment: string) => `${day.format(new Date(moment))} (UTC)`;
