import { useCallback, useRef, useState, type ReactNode } from 'react';
import { formatPhone } from '../../../../../shared/lib/phone';
import { DataWaiting } from '../DataWaiting';
import type { DataRequest, RequestType } from './api';
import { ConfirmCode } from './ConfirmCode';
import { Deleted } from './Deleted';
import { EraseDialog } from './EraseDialog';
import { ExportPart } from './ExportPart';
import { OthersPart } from './OthersPart';
import { forgetEntrant } from './traces';
import { useRequests } from './useRequests';
import { CODE_ENDED } from './words';

interface DataRequestsProps {
  id: number;
  /** In full: this is the browser that entered. */
  phoneNumber: string;
  /** The entrant is deleted: what the page shows from then on. */
  onDeleted: (instead: ReactNode) => void;
}

/** What is behind "Your data": a copy of everything, and the end of everything. */
export function DataRequests({ id, phoneNumber, onDeleted }: DataRequestsProps) {
  const [asked, setAsked] = useState<RequestType>();
  const [left, setLeft] = useState<DataRequest['id'][]>([]);
  const [shown, setShown] = useState<DataRequest['id']>();
  const [isErasing, setErasing] = useState(false);
  const body = useRef<HTMLDivElement>(null);

  const end = useCallback(() => {
    forgetEntrant();
    onDeleted(<Deleted />);
  }, [onDeleted]);
  const held = useRequests(id, end);
  const { requests, receivedAt, error, retry } = held;
  if (error) return <Failed sentence={error.sentence} onRetry={retry} />;
  if (!requests) return <DataWaiting />;

  const ask = (type: RequestType) => {
    setAsked(type);
    setLeft([]);
    setShown(undefined);
    return held.make(type);
  };
  const erase = async () => {
    await ask('erasure');
    setErasing(false);
  };
  const waiting = requests.find((each) => !left.includes(each.id) && isWaiting(each));
  if (waiting && waiting.id !== shown) setShown(waiting.id);
  const hasEnded = !waiting && requests.some((each) => each.id === shown && isOpen(each));
  const leave = () => {
    setLeft(requests.map((each) => each.id));
    setShown(undefined);
    setAsked(undefined);
    body.current?.focus();
  };

  return (
    <div className="data-body" ref={body} tabIndex={-1}>
      {waiting?.verification ? (
        <ConfirmCode
          key={waiting.id}
          request={waiting}
          verification={waiting.verification}
          phone={formatPhone(phoneNumber)}
          wasAsked={asked === waiting.requestType}
          requests={held}
          onLeave={leave}
        />
      ) : (
        <>
          {hasEnded && (
            <p role="alert" className="problem">
              {CODE_ENDED}
            </p>
          )}
          <ExportPart
            latest={copyIn(requests)}
            receivedAt={receivedAt}
            ask={() => ask('export')}
            wasAsked={asked === 'export'}
          />
          <OthersPart id={id} />
          <div className="data-part">
            <p>Leave the raffle and delete your data. We'll show you what that means first.</p>
            <button type="button" className="button quiet" onClick={() => setErasing(true)}>
              Delete my entry and data
            </button>
          </div>
          {isErasing && <EraseDialog erase={erase} onClose={() => setErasing(false)} />}
        </>
      )}
    </div>
  );
}

/** Whether a code was sent that still counted when the server said so. */
const isWaiting = ({ status, verification }: DataRequest): boolean =>
  status === 'pending' && verification !== null && verification.expiresAfter > 0;

/** Whether it was neither carried out nor failed: it still waited for a code when that ended. */
const isOpen = ({ status }: DataRequest): boolean => status === 'pending' || status === 'expired';

/** The copy that can be downloaded, or else the last one that was asked for. */
function copyIn(requests: DataRequest[]): DataRequest | undefined {
  const copies = requests.filter((each) => each.requestType === 'export');
  return copies.find((each) => each.fileUrl !== null) ?? copies[0];
}

function Failed({ sentence, onRetry }: { sentence: string; onRetry: () => void }) {
  return (
    <div className="failed" role="alert">
      <p>{sentence}</p>
      <button type="button" className="button quiet" onClick={onRetry}>
        Try again
      </button>
    </div>
  );
}
