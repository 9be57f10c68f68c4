import { STALE } from '../lib/missingFile';
import { siteName } from '../lib/siteName';

/** Why something failed: the server's status, what kept its answer from us, no cookies, a missing file of this page, or a bug in it. */
type Cause =
  number | 'offline' | 'unreachable' | 'timeout' | 'unreadable' | 'cookies' | 'missing' | 'bug';

export interface ApiError {
  status: Cause;
  /** For logs: the status, a colon, a space and the body's text. */
  message: string;
  /** For people. */
  sentence: string;
  /** The server's own sentence, when it gave one. */
  serverSentence?: string;
  code?: string;
  fields?: Record<string, string[]>;
}

interface ErrorBody {
  error?: unknown;
  code?: unknown;
  fields?: unknown;
}

/** The sentences that tell people what went wrong. */
export interface Wording {
  offline: string;
  unreachable: string;
  timeout: string;
  unreadable: string;
  /** For 503; when to try again follows. */
  busy: string;
  /** For 429; when to try again follows. */
  tooMany: string;
}

export const visitorWords: Wording = {
  offline: 'You seem to be offline. Try again when you are connected.',
  unreachable: `We could not reach ${siteName}. Check your connection and try again.`,
  timeout: 'That took too long. Please try again.',
  unreadable: 'We could not read the answer. Please try again.',
  busy: 'We are busy right now.',
  tooMany: 'Too many tries from this network.',
};

type ConnectionCause = keyof Wording & Cause;

export function connectionError(
  cause: ConnectionCause,
  detail: string,
  words = visitorWords,
): ApiError {
  return { status: cause, message: `${cause}: ${detail}`, sentence: words[cause] };
}

export function responseError(
  response: Response,
  bodyText: string,
  words = visitorWords,
): ApiError {
  const body = parseBody(bodyText);
  const serverSentence = typeof body.error === 'string' ? body.error : undefined;
  return {
    status: response.status,
    message: `${response.status}: ${bodyText || response.statusText}`,
    sentence: sentenceFor(response, serverSentence, words),
    ...(serverSentence && { serverSentence }),
    ...(typeof body.code === 'string' && { code: body.code }),
    ...(isFields(body.fields) && { fields: body.fields }),
  };
}

function parseBody(text: string): ErrorBody {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? body : {};
  } catch {
    return {}; // a proxy's HTML page, for one: the status alone has to do
  }
}

function isFields(fields: unknown): fields is Record<string, string[]> {
  return (
    typeof fields === 'object' &&
    fields !== null &&
    Object.values(fields).every((messages) => Array.isArray(messages))
  );
}

function sentenceFor(
  response: Response,
  serverSentence: string | undefined,
  words: Wording,
): string {
  if (response.status === 429) return `${words.tooMany} ${retryWhen(response)}`;
  if (response.status === 503) return `${words.busy} ${retryWhen(response)}`;
  if (serverSentence) return serverSentence;
  return response.status >= 500
    ? 'Something went wrong on our side. Please try again in a few minutes.'
    : 'That did not work. Please try again.';
}

function retryWhen(response: Response): string {
  const seconds = Number(response.headers.get('Retry-After'));
  if (!(seconds > 0)) return 'Please try again in a few minutes.';
  if (seconds > 90) return `Please try again in ${Math.ceil(seconds / 60)} minutes.`;
  return `Please try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`;
}

/** Whatever a mutation threw, as an ApiError: a lazily loaded file that did not arrive throws too, and makes the page reload. */
export function asApiError(thrown: unknown): ApiError {
  const error = Object(thrown) as Partial<ApiError & Error>; // even if it is null
  if (error.sentence) return thrown as ApiError;
  const isMissing = error.name === 'ChunkLoadError'; // as webpack names it
  if (isMissing && navigator.onLine) {
    once(error, () => window.fileMissing?.(true));
    return { status: 'missing', message: `missing: ${String(thrown)}`, sentence: MISSING };
  }
  if (isMissing || error.name === 'AbortError') {
    return connectionError(navigator.onLine ? 'unreachable' : 'offline', String(thrown));
  }
  once(error, () => console.error(error));
  return { status: 'bug', message: `bug: ${String(thrown)}`, sentence: BUG };
}

const MISSING = `${STALE} Reload it and try again.`;

const BUG = 'Something went wrong in this page. Reload it and try again.';

const known = new WeakSet();

/** Screens ask for the sentence each time they are shown. */
function once(error: object, tell: () => void) {
  if (!known.has(error)) tell();
  known.add(error);
}
