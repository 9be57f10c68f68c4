import { useEffect } from 'react';
import { useRefresh } from '../../lib/useRefresh';
import { PageScene } from '../../ui/PageScene';
import { PageFrame } from '../../ui/PageFrame';
import {
  isNotFound,
  useGetDrawingProofQuery,
  useGetPublicDrawingQuery,
  useGetOwnLeafQuery,
} from './api';
import { CheckItYourself } from './CheckItYourself';
import { Failed } from './Failed';
import { type DrawingQuery, isAwaited, ThePrize } from './ThePrize';
import { MissingRound } from './MissingRound';
import { Published } from './Published';
import { momentOf, useUntilDrawn } from './stages';
import { ThreeSteps } from './ThreeSteps';
import type { Proof } from './verification/proof';
import { VoidNotice } from './VoidNotice';
import { type OwnLeafQuery, WereYouIn } from './WereYouIn';
import { WhatItShows } from './WhatItShows';
import { WinningTicket } from './WinningTicket';
import { useWitness, type Witness } from './witness/useWitness';
import { dayInWords } from './words';
import { titled } from '../../../shared/lib/siteName';

const REFRESH_MS = 60_000;

export function OneDrawing({ id }: { id: number }) {
  const { data: proof, error, refetch } = useGetDrawingProofQuery({ id });
  const own = useGetOwnLeafQuery({ id });
  const drawing = useGetPublicDrawingQuery({ id });
  useRefresh(drawing.refetch, isAwaited(drawing.data) ? REFRESH_MS : undefined);
  const witness = useWitness(proof, own.data);
  useUntilDrawn(proof, refetch);
  const title = proof ? `Drawing of ${dayInWords(momentOf(proof))}` : 'Drawing';
  useEffect(() => {
    document.title = titled(title);
  });
  if (isNotFound(error)) return <UnknownDrawing />;
  return (
    <PageFrame>
      {witness.alert}
      <WinningTicket title={title} proof={proof} />
      <noscript>
        <p className="card">
          This page shows how a ticket was drawn and checks it. That needs JavaScript. Programs get
          all drawings at <a href="/api/drawings">/api/drawings</a>.
        </p>
      </noscript>
      <div className="drawings one">
        {/* All at once, so that your ticket, which is above the rest, pushes nothing down. */}
        {proof && isSettled(own) && isSettled(drawing) && (
          <Parts
            own={own}
            drawing={drawing}
            proof={proof}
            witness={witness}
            onDrawn={() => void refetch()}
          />
        )}
        {!proof && error && <Failed error={error} onRetry={() => void refetch()} />}
      </div>
    </PageFrame>
  );
}

const isSettled = ({ data, error }: { data?: unknown; error?: unknown }) =>
  data !== undefined || error !== undefined;

interface PartsProps {
  own: OwnLeafQuery;
  drawing: DrawingQuery;
  proof: Proof;
  witness: Witness;
  onDrawn: () => void;
}

function Parts({ own, drawing, proof, witness, onDrawn }: PartsProps) {
  const { kept } = witness;
  return (
    <>
      <WereYouIn own={own} proof={proof} />
      <div className="main">
        <ThePrize query={drawing} />
        <VoidNotice drawing={drawing.data} />
        <MissingRound
          proof={proof}
          onDrawn={() => {
            onDrawn();
            void drawing.refetch();
          }}
        />
        <ThreeSteps proof={proof} keptAt={kept?.savedAt} />
        <CheckItYourself proof={proof} log={kept?.log} />
        <Published proof={proof} />
      </div>
      <WhatItShows proof={proof} />
      <ul className="links">
        <li>
          <a href="/drawings">All drawings</a>
        </li>
        <li>
          <a href="/drawings#how">How a drawing works</a>
        </li>
      </ul>
    </>
  );
}

export function UnknownDrawing() {
  return (
    <PageFrame>
      <div className="hello">
        <PageScene />
        <div>
          <h1 tabIndex={-1}>We cannot find this drawing</h1>
          <p className="lead">No drawing has this number. The address may be incomplete.</p>
          <a className="button" href="/drawings">
            See all drawings
          </a>
        </div>
      </div>
    </PageFrame>
  );
}
