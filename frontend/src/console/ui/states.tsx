import { useEffect, useRef, useState, type ReactNode } from 'react';
import { asApiError } from '../../shared/api/apiError';
import { Button } from './Button';

/** Nothing there: says what will appear here, and how it gets here. */
export function EmptyState({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="empty">
      <p className="empty-title">{title}</p>
      {children && <p className="quiet-text">{children}</p>}
    </div>
  );
}

export function ErrorState({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { sentence, fields, code } = asApiError(error);
  return (
    <div className="failed" role="alert">
      <p>{sentence}</p>
      {/* What is wrong with an input, or not for the role, does not get better by asking again. */}
      {!fields && code !== 'forbidden' && <Button onClick={onRetry}>Try again</Button>}
    </div>
  );
}

/** Takes the space of content that is still loading. */
export function Loading({ label = 'Loading...', lines = 4 }: { label?: string; lines?: number }) {
  return (
    <div className="bones" role="status">
      <span className="unseen">{label}</span>
      {Array.from({ length: lines }, (_, index) => (
        <span key={index} className="bone" aria-hidden="true" />
      ))}
    </div>
  );
}

/** What RTK Query's hooks give, as far as QueryView reads it. */
export interface QueryResult<Data> {
  /** The newest answer, maybe to other arguments. */
  data?: Data | undefined;
  /** The newest answer to these arguments. */
  currentData?: Data | undefined;
  error?: unknown;
  isFetching: boolean;
  refetch: () => unknown;
}

interface QueryViewProps<Data> {
  query: QueryResult<Data>;
  loading?: ReactNode;
  /** Another part of the screen says when refreshing failed. */
  quiet?: boolean;
  /** It holds a form: hidden instead of removed while its data must not be seen, as after another login. */
  holdsForm?: boolean;
  children: (data: Data) => ReactNode;
}

/**
 * Loading, failed, or the data. Old data stays while newer is fetched, paler when it answers another
 * question, and stays with a quiet word when fetching again failed.
 */
export function QueryView<Data>(props: QueryViewProps<Data>) {
  const { query, loading, quiet = false, holdsForm = false, children } = props;
  const { data, currentData, error, isFetching, refetch } = query;
  const held = useHeld(data);
  const isFailed = error !== undefined && !isFetching && currentData === undefined;
  const instead = isFailed ? (
    <ErrorState error={error} onRetry={() => void refetch()} />
  ) : (
    data === undefined && (loading ?? <Loading />)
  );
  const shown = holdsForm ? held : data;
  if (shown === undefined || (instead && !holdsForm)) return instead;
  const isStale = isFetching && currentData === undefined;
  return (
    <>
      {instead}
      <Shown isHidden={Boolean(instead)} isStale={isStale}>
        {error !== undefined && !isFetching && !quiet && (
          <p className="stale" role="status">
            These figures could not be refreshed. {asApiError(error).sentence}
          </p>
        )}
        {children(shown)}
      </Shown>
    </>
  );
}

/** The newest there was, even after all answers are forgotten. */
function useHeld<Data>(data: Data | undefined): Data | undefined {
  const [held, setHeld] = useState(data);
  if (data !== undefined && data !== held) setHeld(data);
  return data ?? held;
}

interface ShownProps {
  isHidden: boolean;
  isStale: boolean;
  children: ReactNode;
}

/** Gives the focus back to what had it when it shows again. */
function Shown({ isHidden, isStale, children }: ShownProps) {
  const last = useRef<HTMLElement>(null);
  const wasHidden = useRef(isHidden);
  useEffect(() => {
    if (wasHidden.current && !isHidden) last.current?.focus();
    wasHidden.current = isHidden;
  }, [isHidden]);
  return (
    <div
      className="query"
      hidden={isHidden}
      aria-busy={isStale}
      onFocus={({ target }) => (last.current = target)}
    >
      {children}
    </div>
  );
}
