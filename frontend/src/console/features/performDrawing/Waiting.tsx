import { useEffect, useRef } from 'react';
import { useGetDrawingQuery, type DrawingView } from '../../api/admin';
import { formatDateTime } from '../../../shared/lib/format';
import { raffleName } from '../../lib/raffles';
import { polled } from '../../lib/polled';
import { Drum } from './Drum';
import { timeUntil } from './drawingWords';
import { useNow } from './useNow';

const EVERY_MS = 2_000;

interface Props {
  drawing: DrawingView;
  onEnd: (drawing: DrawingView) => void;
}

/** The drum turns until the beacon decides the drawing. */
export function Waiting({ drawing, onEnd }: Props) {
  const region = useRef<HTMLElement>(null);
  const newest = useNewest(drawing, onEnd);
  useEffect(() => region.current?.focus(), []);
  return (
    <section
      ref={region}
      tabIndex={-1}
      className="reveal"
      aria-label="Drawing in progress"
      data-waiting="true"
    >
      <Drum />
      <div className="turning">
        <p>{raffleName(newest.landingPage)}</p>
        <WhatComes drawing={newest} />
      </div>
    </section>
  );
}

function useNewest(drawing: DrawingView, onEnd: (drawing: DrawingView) => void): DrawingView {
  const { data = drawing } = useGetDrawingQuery({ id: drawing.id }, polled(EVERY_MS));
  const isOver = data.status === 'drawn' || data.status === 'void';
  useEffect(() => {
    if (isOver) onEnd(data);
  }, [isOver, data, onEnd]);
  return data;
}

function WhatComes({ drawing }: { drawing: DrawingView }) {
  const now = useNow();
  const { status, beacon, sealDueAt } = drawing;
  if (status === 'announced') {
    return (
      <p className="quiet-text">Announced. The list is frozen at {formatDateTime(sealDueAt)}.</p>
    );
  }
  if (!beacon) return <p className="quiet-text">Turning the drum...</p>;
  const left = timeUntil(beacon.expectedAt, now);
  return (
    <p className="quiet-text">
      The list is sealed. Round {beacon.round} of the public beacon decides
      {left ? <>, in {left}.</> : <>. Waiting since {formatDateTime(beacon.expectedAt)}.</>}
    </p>
  );
}
