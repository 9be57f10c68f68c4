/** Recomputes one drawing, apart from the page: a list of a million takes seconds of hashing. */
import { checkDrawing, type Report } from './verification/checkDrawing';
import type { Proof, LogEntry } from './verification/proof';

export interface CheckRequest {
  proof: Proof;
  /** The path of the list. */
  list: string;
  /** What this browser kept of the log before the beacon's round. */
  log?: LogEntry[] | undefined;
}

async function openList(path: string): Promise<ReadableStream<Uint8Array>> {
  const response = await fetch(path);
  if (!response.ok || !response.body) throw new Error(`${response.status} for the list`);
  return response.body;
}

self.onmessage = ({ data: { proof, list, log } }: MessageEvent<CheckRequest>) => {
  const report = (report: Report) => self.postMessage(report);
  void checkDrawing(proof, () => openList(list), report, log);
};
