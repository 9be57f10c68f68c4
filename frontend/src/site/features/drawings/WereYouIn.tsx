import { isNotFound } from './api';
import { Failed } from './Failed';
import { Mark } from './Mark';
import { checkOwnLeaf } from './verification/checkOwnLeaf';
import { isDrawn, type OwnLeaf, type Proof } from './verification/proof';
import { countOf, raffleNameOf } from './words';

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
          This browser has no entry in this drawing. If you were in the{' '}
          {raffleNameOf(proof.landingPage)} raffle when it was sealed, open this page in the browser
          that you entered with to see your ticket.
        </p>
      ) : (
        <Failed error={error} onRetry={() => void refetch()} />
      )}
    </section>
  );
}

function YourTicket({ own, proof }: { own: OwnLeaf; proof: Proof }) {
  const { firstEntry, weight, index } = own.leaf;
  const last = firstEntry + weight - 1;
  const winning = isDrawn(proof) ? proof.winningEntryNumber : 0;
  const won = firstEntry <= winning && winning <= last;
  const problem = checkOwnLeaf(own, proof);
  return (
    <>
      <h3>Your ticket</h3>
      <p className="own">
        <span className="figure">
          {weight === 1 ? number(firstEntry) : `${number(firstEntry)} to ${number(last)}`}
        </span>{' '}
        {countOf(weight, 'entry', 'entries')} of {number(proof.totalEntries)}
        {won && <strong>, and {weight === 1 ? 'it' : 'one of them'} was drawn</strong>}
      </p>
      {problem ? (
        <p className="finding" role="alert">
          <Mark state="failed" />
          <span>Your ticket does not match this drawing. {problem}</span>
        </p>
      ) : (
        <p className="finding">
          <Mark state="ok" />
          <span>
            Checked in your browser: line {number(index + 1)} of the list is made from your id,
            phone number and salts, and the root of this drawing covers it.
          </span>
        </p>
      )}
      <details>
        <summary>Your id, phone number and salts</summary>
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

const number = (value: number) => value.toLocaleString('en-US');
