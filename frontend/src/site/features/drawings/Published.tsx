import { entrantsPath, proofPath, versionPath } from './api';
import { Hash } from './Hash';
import { rulesOf, versionOf } from './verification/details';
import { isDrawn, type LogEntry, type Proof } from './verification/proof';
import { momentInWords, sourceInWords } from './words';

/** Everything that was published about the drawing, and the other ways to check it. */
export function Published({ proof }: { proof: Proof }) {
  const { drawing } = proof;
  const [proofFile, listFile] = [
    `drawing-${drawing}-proof.json`,
    `drawing-${drawing}-entrants.csv`,
  ];
  return (
    <>
      <Facts proof={proof} />
      <h3>Files</h3>
      <ul className="links">
        <li>
          <a href={proofPath(drawing)} download={proofFile}>
            The proof (JSON)
          </a>
        </li>
        <li>
          <a href={entrantsPath(drawing)} download={listFile}>
            The list of entrants (CSV)
          </a>
        </li>
      </ul>
      <h3>Other ways to check</h3>
      <p>
        Download both files and check them on your own computer, with our program or with a separate
        one in Python. Both come with Tombola's source code, and neither contacts our server:
      </p>
      <pre>
        tombola drawing verify {proofFile} --entrants {listFile}
      </pre>
      <pre>
        python3 scripts/drawing/verify_drawing.py {proofFile} --entrants {listFile}
      </pre>
    </>
  );
}

/** Nothing for a prize of its own, or if the announcement does not say so: the check of it does. */
function VersionOf({ proof: { announcement, landingPage } }: { proof: Proof }) {
  const version = versionOf(announcement);
  if (!version) return null;
  return (
    <>
      <dt>
        What promised the prize,{' '}
        <a href={versionPath(landingPage, version.number)}>
          version {version.number} of what the raffle says
        </a>
      </dt>
      <dd>
        <Hash name="the hash of the version" hex={version.hash} />
      </dd>
    </>
  );
}

/** Nothing if the announcement does not name them: the check of it says so. */
function RulesOf({ announcement }: { announcement: LogEntry }) {
  const rules = rulesOf(announcement);
  if (!rules) return null;
  return (
    <>
      <dt>
        The official rules of its month,{' '}
        <a href={`/rules/${rules.version}`}>version {rules.version}</a>
      </dt>
      <dd>
        <Hash name="the hash of the rules" hex={rules.hash} />
      </dd>
    </>
  );
}

function Facts({ proof }: { proof: Proof }) {
  return (
    <dl className="facts-of">
      <dt>The announcement, entry {proof.announcement.id} of the public log</dt>
      <dd>
        <Hash name="the hash of the announcement" hex={proof.announcement.hash} />
      </dd>
      <VersionOf proof={proof} />
      <RulesOf announcement={proof.announcement} />
      <dt>The commitment, published {momentInWords(proof.committedAt)}</dt>
      <dd>
        <Hash name="the commitment" hex={proof.commitment} />
      </dd>
      <dt>The seal, entry {proof.seal.id} of the public log</dt>
      <dd>
        <Hash name="the hash of the seal" hex={proof.seal.hash} />
        <p className="note">
          Save it before the random value is due: it shows later what was sealed.
        </p>
      </dd>
      <dt>The seed, revealed {momentInWords(proof.seal.at)}</dt>
      <dd>
        <Hash name="the seed" hex={proof.seed} />
        <p className="note">It came from {sourceInWords(proof.seedSource)}.</p>
      </dd>
      <dt>The root, one hash of the whole list</dt>
      <dd>
        <Hash name="the root" hex={proof.root} />
      </dd>
      {isDrawn(proof) && (
        <>
          {proof.beacon.signature && (
            <>
              <dt>The random value of round {proof.beacon.round.toLocaleString('en-US')}</dt>
              <dd>
                <Hash name="the random value" hex={proof.beacon.randomness} />
              </dd>
            </>
          )}
          <dt>The verification hash, which covers the facts of this drawing</dt>
          <dd>
            <Hash name="the verification hash" hex={proof.verificationHash} />
          </dd>
        </>
      )}
    </dl>
  );
}
