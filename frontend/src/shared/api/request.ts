import type { ApiError, Wording } from './apiError';
import { connectionError, responseError } from './apiError';

export const REQUEST_TIMEOUT_MS = 15_000;

type Params = Record<string, string | number | boolean | null | undefined>;

export interface Call {
  url: string;
  method?: string;
  body?: unknown;
  params?: Params;
  headers?: Record<string, string | null | undefined>;
  /** For the few calls that may take longer than the rest. */
  timeoutMs?: number;
  /** For the few calls whose answer is not JSON. */
  answers?: 'text';
}

interface CallOptions {
  signal?: AbortSignal;
  headers?: Record<string, string>;
  /** How failures are said; as visitors read them unless told. */
  words?: Wording;
  /** The answer that is on its way, if the same call was made before this code was there. */
  sent?: Promise<Response> | undefined;
}

export type Answer =
  | { data: unknown; meta: Response; error?: never }
  | { data?: never; error: ApiError; meta?: never };

/**
 * One request, with every failure as an ApiError. Shorter and, in the browser, lighter than
 * fetchBaseQuery with all of its errors turned into ours.
 */
export async function request(
  call: Call,
  { signal, headers, words, sent }: CallOptions = {},
): Promise<Answer> {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), call.timeoutMs ?? REQUEST_TIMEOUT_MS);
  signal?.addEventListener('abort', () => deadline.abort());
  try {
    const response = await (sent ?? send(call, deadline.signal, headers));
    const text = await response.text();
    if (!response.ok) return { error: responseError(response, text, words) };
    const data: unknown = call.answers === 'text' ? text : JSON.parse(text);
    return { data, meta: response };
  } catch (thrown) {
    return { error: connectionError(causeOf(thrown, deadline.signal), String(thrown), words) };
  } finally {
    clearTimeout(timer);
  }
}

function causeOf(thrown: unknown, deadline: AbortSignal) {
  if (deadline.aborted) return 'timeout';
  if (thrown instanceof SyntaxError) return 'unreadable';
  return navigator.onLine ? 'unreachable' : 'offline';
}

/** Every request sends cookies; a body and its content type only where there is one. */
function send(call: Call, signal: AbortSignal, headers: Record<string, string> = {}) {
  const { url, method = 'GET', body, params = {} } = call;
  const address = new URL(url, location.origin);
  for (const [name, value] of given(params)) address.searchParams.set(name, String(value));
  const json = body !== undefined && { 'Content-Type': 'application/json' };
  return fetch(address, {
    method,
    credentials: 'include',
    signal,
    headers: { ...headers, ...Object.fromEntries(given(call.headers ?? {})), ...json },
    ...(json && { body: JSON.stringify(body) }),
  });
}

/** What is left out is not sent. */
const given = <Value>(values: Record<string, Value>) =>
  Object.entries(values).filter((entry): entry is [string, NonNullable<Value>] => entry[1] != null);
