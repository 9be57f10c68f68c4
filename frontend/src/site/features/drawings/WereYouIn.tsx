import { isNotFound } from './api';
import { Failed } from './Failed';
import { Mark } from './Mark';
import { checkOwnLeaf } from './verification/checkOwnLeaf';
import { isDrawn, type OwnLeaf, type Proof } from './verification/proof';
import { countOf } from './words';

/** What asking for one's own leaf has come to. */
export interface OwnLeafQuery {
  data?: OwnLeaf | undefined;
  error?: unknown;
  refetch: () => unknown;
}

/** The server knows people by the cookie that entering gave to their browser. */
export function WereYouIn({ own, proof }: { own: OwnLeafQuery; proof: Proof }) {
  const { data, error, refetch } = own;
  return (
    <section className="card" aria-labelledby="were-you-in">
      <h2 id="were-you-in">Were you in?</h2>
      {data ? (
        <YourTicket own={data} proof={proof} />
      ) : isNotFound(error) ? (
        <p>
          This browser has no entry in this drawing. Entered in another one? Open this page there.
        </p>
      ) : (
        <Failed error={error} onRetry={() => void refetch()} />
      )}
    </section>
  );
}

function YourTicket({ own, proof }: { own: OwnLeaf; proof: Proof }) {
  const problem = checkOwnLeaf(own, proof);
  return (
    <>
      <p className="own">
        <InWords own={own} proof={proof} />
      </p>
      {problem ? (
        <p className="finding" role="alert">
          <Mark state="failed" />
          <span>Your ticket does not match this drawing. {problem}</span>
        </p>
      ) : (
        <p className="finding">
          <Mark state="ok" />
          <span>Checked in your browser: your ticket is on the published list.</span>
        </p>
      )}
      <details>
        <summary>Your id, phone number and salts</summary>
        {!problem && (
          <p className="note">
            Line {number(own.leaf.index + 1)} of the list is made from them, and the root of this
            drawing covers it.
          </p>
        )}
        <p className="note">
          Anyone who has them can tell which line of the published list is yours. Keep them to
          yourself if you do not want that.
        </p>
        <dl className="facts-of">
          <dt>Id</dt>
          <dd>
            <code>{own.entrantId}</code>
          </dd>
          <dt>Phone number</dt>
          <dd>
            <code>{own.phoneNumber}</code>
          </dd>
          <dt>Your salt, drawn when you entered</dt>
          <dd>
            <code>{own.personSalt}</code>
          </dd>
          <dt>Salt of this drawing</dt>
          <dd>
            <code>{own.salt}</code>
          </dd>
          <dt>Blinded id on the list</dt>
          <dd>
            <code>{own.leaf.blindedId}</code>
          </dd>
        </dl>
      </details>
    </>
  );
}

/** Which entries somebody had, and whether the drawn one is among them. */
function InWords({ own, proof }: { own: OwnLeaf; proof: Proof }) {
  const { firstEntry, weight } = own.leaf;
  const last = firstEntry + weight - 1;
  const range = weight === 1 ? number(firstEntry) : `${number(firstEntry)}–${number(last)}`;
  const share = `${number(weight)} of ${countOf(proof.totalEntries, 'entry', 'entries')} (${range})`;
  if (!isDrawn(proof)) return `You ${proof.status === 'void' ? 'had' : 'have'} ${share}.`;
  const drawn = proof.winningEntryNumber;
  if (drawn < firstEntry || drawn > last)
    return `You had ${share}. Entry ${number(drawn)} is not one of them.`;
  return (
    <>
      You had {share}, and <strong>entry {number(drawn)} is yours</strong>.{' '}
      <a href={`/${proof.landingPage}/success/${own.entrantId}`}>Your page</a> leads to the claim,
      while it is open.
    </>
  );
}

const number = (value: number) => value.toLocaleString('en-US');
