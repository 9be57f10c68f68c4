import { useEffect, useRef } from 'react';
import { useSendCode } from '../../../../lib/useSendCode';
import type { DataRequest } from './api';
import { moment, problemOf } from './words';

interface Props {
  /** The newest copy that was asked for. */
  latest: DataRequest | undefined;
  /** When it was as it says, in milliseconds by this browser's clock. */
  receivedAt: number;
  ask: () => Promise<void>;
  /** Whether the copy was asked for just now: then its link takes the focus. */
  wasAsked: boolean;
}

/** A copy of everything that is stored about the entrant. */
export function ExportPart({ latest, receivedAt, ask, wasAsked }: Props) {
  const { start, busy, problem } = useSendCode(ask, problemOf);
  // The server gives the address as long as it works: this browser's clock may be days off.
  const isReady = latest?.status === 'completed' && latest.fileUrl !== null;
  return (
    <div className="data-part">
      <p>A ZIP file with all that we store about you.</p>
      {isReady && <Ready url={latest.fileUrl!} until={latest.expiresAt!} takesFocus={wasAsked} />}
      {!isReady && <Past latest={latest} now={receivedAt} />}
      <div role="alert" className="problem">
        {problem}
      </div>
      {!isReady && (
        <button
          type="button"
          className="button quiet"
          aria-disabled={busy}
          onClick={() => void start()}
        >
          {busy ? 'Asking for your copy...' : 'Get a copy of your data'}
        </button>
      )}
    </div>
  );
}

interface ReadyProps {
  url: string;
  until: string;
  takesFocus: boolean;
}

function Ready({ url, until, takesFocus }: ReadyProps) {
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (takesFocus) link.current?.focus();
  }, [takesFocus]);
  return (
    <>
      <a className="button" href={url} download ref={link} aria-describedby="copy-until">
        Download your data
      </a>
      <p className="note" id="copy-until">
        This link works until {moment(until)}. Anyone who has it can download your data, so keep it
        to yourself.
      </p>
    </>
  );
}

function Past({ latest, now }: { latest: DataRequest | undefined; now: number }) {
  if (latest?.status === 'failed') return <p>Your last copy could not be made. Try again.</p>;
  if (!latest?.completedAt || !latest.expiresAt) return null;
  if (Date.parse(latest.expiresAt) > now) return null; // made by staff, who have its link
  return <p>The link to your last copy worked until {moment(latest.expiresAt)}.</p>;
}
