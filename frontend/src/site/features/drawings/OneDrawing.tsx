import { useEffect, type ReactNode } from 'react';
import { useRefresh } from '../../lib/useRefresh';
import { PageScene } from '../../ui/PageScene';
import { PageFrame } from '../../ui/PageFrame';
import {
  type Drawing,
  isNotFound,
  useGetDrawingProofQuery,
  useGetPublicDrawingQuery,
  useGetOwnLeafQuery,
} from './api';
import { CheckItYourself } from './CheckItYourself';
import { Failed } from './Failed';
import { Fold } from './Fold';
import { lazyPart } from './lazyPart';
import { type DrawingQuery, isAwaited, ThePrize } from './ThePrize';
import { MissingRound } from './MissingRound';
import { momentOf, useUntilDrawn } from './stages';
import type { Proof } from './verification/proof';
import { VoidNotice } from './VoidNotice';
import { type OwnLeafQuery, WereYouIn } from './WereYouIn';
import { WinningTicket } from './WinningTicket';
import { useWitness, type Witness } from './witness/useWitness';
import { dayInWords, momentInWords, raffleNameOf } from './words';
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
  if (isNotFound(error) && isSettled(drawing)) {
    if (drawing.data?.status !== 'announced') return <UnknownDrawing />;
    return <NotSealedYet drawing={drawing.data} />;
  }
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

const loadForExperts = () => import(/* webpackChunkName: "for-experts" */ './forExperts');
const Timeline = lazyPart(() => loadForExperts().then((file) => file.Timeline));
const Published = lazyPart(() => loadForExperts().then((file) => file.Published));
const WhatItShows = lazyPart(() => loadForExperts().then((file) => file.WhatItShows));

/** Who won, were you in, is it in order; then, folded, what it takes to find that out. */
function Parts({ own, drawing, proof, witness, onDrawn }: PartsProps) {
  return (
    <>
      <ThePrize query={drawing} />
      <WereYouIn own={own} proof={proof} />
      <div className="main">
        <VoidNotice drawing={drawing.data} />
        <MissingRound
          proof={proof}
          onDrawn={() => {
            onDrawn();
            void drawing.refetch();
          }}
        />
        <CheckItYourself proof={proof} witness={witness} />
        <Fold id="timeline" title="Timeline">
          <Timeline proof={proof} keptAt={witness.kept?.savedAt} />
        </Fold>
        <Fold id="published" title="Hashes, files and other ways to check">
          <Published proof={proof} />
        </Fold>
        <Fold id="what-it-shows" title="What the proof shows, and what it cannot">
          <WhatItShows proof={proof} />
        </Fold>
      </div>
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

function NotSealedYet({ drawing: { landingPage, beacon } }: { drawing: Drawing }) {
  return (
    <Instead title="Announced, and not drawn yet">
      This is the next drawing of the {raffleNameOf(landingPage)} raffle
      {beacon && <>, planned for {momentInWords(beacon.expectedAt)}</>}. Once its list of entries is
      frozen, this page shows it.
    </Instead>
  );
}

export function UnknownDrawing() {
  return (
    <Instead title="We cannot find this drawing">
      No drawing has this number. The address may be incomplete.
    </Instead>
  );
}

function Instead({ title, children }: { title: string; children: ReactNode }) {
  return (
    <PageFrame>
      <div className="hello">
        <PageScene />
        <div>
          <h1 tabIndex={-1}>{title}</h1>
          <p className="lead">{children}</p>
          <a className="button" href="/drawings">
            See all drawings
          </a>
        </div>
      </div>
    </PageFrame>
  );
}
