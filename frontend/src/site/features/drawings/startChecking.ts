import { entrantsPath } from './paths';
import type { CheckRequest } from './check.worker';
import type { Report } from './verification/checkDrawing';
import type { Proof, LogEntry } from './verification/proof';

/** What is checked: while that goes on, the page may get a newer proof, or find what this browser kept of the log. */
export interface Checked {
  proof: Proof;
  log: LogEntry[] | undefined;
}

/** Gives what ends it, whether it is done or not. */
export function startChecking(
  { proof, log }: Checked,
  onReport: (report: Report) => void,
): () => void {
  const worker = new Worker(
    /* webpackChunkName: "check" */ new URL('./check.worker.ts', import.meta.url),
  );
  worker.onmessage = ({ data }: MessageEvent<Report>) => onReport(data);
  worker.onerror = () => {
    window.fileMissing?.(true); // its file did not arrive
    onReport({ kind: 'unread' });
  };
  const request: CheckRequest = { proof, list: entrantsPath(proof.drawing), log };
  worker.postMessage(request);
  return () => worker.terminate();
}
