import { useState, type ReactNode } from 'react';
import { useGetDrawingStatsQuery, useGetTrendsQuery } from '../../api/admin';
import {
  useDeleteRaffleMutation,
  useListRafflesQuery,
  useOrderRafflesMutation,
  type RaffleView,
} from '../../api/raffles';
import { formatCount, formatDateTime } from '../../../shared/lib/format';
import { siteTimeZone } from '../../../shared/lib/nextDrawing';
import { refreshed } from '../../lib/polled';
import { useAct } from '../../lib/useAct';
import { useQueryState } from '../../lib/useQueryState';
import { useMay } from '../../session/me';
import { Button } from '../../ui/Button';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { NewTabLink } from '../../ui/NewTabLink';
import { QueryLink } from '../../ui/QueryLink';
import { QueryView } from '../../ui/states';
import { CloseDialog } from './CloseDialog';
import { Editor } from './Editor';
import { NewRaffleDialog } from './NewRaffleDialog';
import { OpenDialog } from './OpenDialog';
import { useTemplates } from './preview';
import { Status } from './Status';
import { TakeBackDialog } from './TakeBackDialog';

/** All raffles, or the one that the address names. */
export function Raffles() {
  const [query] = useQueryState();
  const landingPage = query.get('view');
  return landingPage ? <Editor landingPage={landingPage} /> : <AllRaffles />;
}

function AllRaffles() {
  const query = useListRafflesQuery(undefined, refreshed);
  const [isNew, setNew] = useState(false);
  const mayChange = useMay('manage_raffles');
  return (
    <>
      <header className="screen-head">
        <h1>Raffles</h1>
        {mayChange && (
          <Button variant="primary" onClick={() => setNew(true)}>
            New raffle
          </Button>
        )}
      </header>
      <QueryView query={query}>{({ raffles }) => <Cards raffles={raffles} />}</QueryView>
      {isNew && <NewRaffleDialog onClose={() => setNew(false)} />}
    </>
  );
}

/** What is asked about a raffle. */
type Asked = 'opening' | 'copy' | 'delete';

function Cards({ raffles }: { raffles: RaffleView[] }) {
  const [asked, setAsked] = useState<{ about: RaffleView; what: Asked }>();
  const { move, problem } = useOrder(raffles.map(({ landingPage }) => landingPage));
  const mayChange = useMay('manage_raffles');
  const close = () => setAsked(undefined);
  return (
    <>
      <div role="alert" className="problem">
        {problem}
      </div>
      <ul className="raffle-cards">
        {raffles.map((raffle, at) => (
          <RaffleCard key={raffle.landingPage} raffle={raffle}>
            {mayChange && (
              <div className="actions">
                <Button size="small" onClick={() => setAsked({ about: raffle, what: 'opening' })}>
                  {actOf(raffle)} <Of raffle={raffle} />
                </Button>
                <Button size="small" onClick={() => setAsked({ about: raffle, what: 'copy' })}>
                  Copy <Of raffle={raffle} />
                </Button>
                {at > 0 && (
                  <Button size="small" onClick={() => move(at, -1)}>
                    Move up <Of raffle={raffle} />
                  </Button>
                )}
                {at < raffles.length - 1 && (
                  <Button size="small" onClick={() => move(at, 1)}>
                    Move down <Of raffle={raffle} />
                  </Button>
                )}
                {raffle.status === 'draft' && raffle.nextStatus === null && (
                  <Button size="small" onClick={() => setAsked({ about: raffle, what: 'delete' })}>
                    Delete <Of raffle={raffle} />
                  </Button>
                )}
              </div>
            )}
          </RaffleCard>
        ))}
      </ul>
      {asked?.what === 'opening' && <Change raffle={asked.about} onClose={close} />}
      {asked?.what === 'copy' && <NewRaffleDialog from={asked.about.landingPage} onClose={close} />}
      {asked?.what === 'delete' && <DeleteDialog raffle={asked.about} onClose={close} />}
    </>
  );
}

const nameOf = ({ name, landingPage }: RaffleView) => name || landingPage;

const Of = ({ raffle }: { raffle: RaffleView }) => <span className="unseen">{nameOf(raffle)}</span>;

function RaffleCard({ raffle, children }: { raffle: RaffleView; children: ReactNode }) {
  const templates = useTemplates();
  const { landingPage, palette, picture, status } = raffle;
  const { data } = useGetDrawingStatsQuery();
  const stats = data?.landingPageStats.find((each) => each.landingPage === landingPage);
  const signUpsThisMonth = useSignUpsThisMonth(landingPage);
  const [announced] = raffle.waiting;
  const nextDrawing = announced?.beacon?.expectedAt ?? raffle.drawsAt;
  return (
    <li className="panel raffle-card">
      <div className="raffle-picture" data-palette={palette}>
        {picture.upload ? (
          <img src={`/media/${picture.upload}`} alt="" />
        ) : (
          <div dangerouslySetInnerHTML={{ __html: templates?.scenes[picture.scene] ?? '' }} />
        )}
      </div>
      <div className="raffle-words">
        <h2>
          <QueryLink change={{ view: landingPage }}>{nameOf(raffle)}</QueryLink>
        </h2>
        <p>
          <Status raffle={raffle} />
        </p>
        <dl className="raffle-figures">
          <div>
            <dt>Entrants</dt>
            <dd>{stats ? formatCount(stats.users) : '–'}</dd>
          </div>
          <div>
            <dt>Sign-ups this month</dt>
            <dd>{signUpsThisMonth === undefined ? '–' : formatCount(signUpsThisMonth)}</dd>
          </div>
          <div>
            <dt>Entries</dt>
            <dd>{stats ? formatCount(stats.totalEntries) : '–'}</dd>
          </div>
          <div>
            <dt>Next drawing</dt>
            <dd>{nextDrawing ? formatDateTime(nextDrawing) : 'Not announced'}</dd>
          </div>
        </dl>
        <ul className="quiet-text raffle-notes">
          {raffle.hasChanges && raffle.version !== null && (
            <li>The draft has changes that are not published.</li>
          )}
          {raffle.waitingVersion && (
            <li>
              Version {raffle.waitingVersion.number} takes effect{' '}
              {formatDateTime(raffle.waitingVersion.takesEffectAt)}.
            </li>
          )}
          {raffle.isDefault && <li>Who names no raffle enters this one.</li>}
          {status !== 'draft' && (
            <li>
              <NewTabLink href={`/${landingPage}`}>{`/${landingPage}`}</NewTabLink>
            </li>
          )}
        </ul>
        {children}
      </div>
    </li>
  );
}

/** How many signed up for a raffle since the month began where the site is, those who are flagged now among them. */
function useSignUpsThisMonth(landingPage: string): number | undefined {
  const parts = { timeZone: siteTimeZone(), year: 'numeric', month: '2-digit' } as const;
  const [month, year] = new Date().toLocaleDateString('en-US', parts).split('/');
  const { data } = useGetTrendsQuery({ startDate: `${year}-${month}-01` });
  const trend = data?.raffles.find((each) => each.landingPage === landingPage);
  return trend?.signUps.reduce((sum, count) => sum + count, 0);
}

function useOrder(landingPages: string[]) {
  const [order] = useOrderRafflesMutation();
  const { problem, run } = useAct(({ sentence }) => sentence);
  const move = (at: number, by: -1 | 1) => {
    const next = [...landingPages];
    const [moved = ''] = next.splice(at, 1);
    next.splice(at + by, 0, moved);
    run(() => order({ raffleOrderBody: { landingPages: next } }).unwrap());
  };
  return { move, problem };
}

/** What was decided and is to come is taken back first. */
function actOf({ status, nextStatus }: RaffleView): string {
  if (nextStatus === 'closed') return 'Keep open';
  if (nextStatus === 'open') return 'Keep closed';
  return status === 'open' ? 'Close' : 'Open';
}

interface ChangeProps {
  raffle: RaffleView;
  onClose: () => void;
}

function Change({ raffle, onClose }: ChangeProps) {
  if (raffle.nextStatus) return <TakeBackDialog raffle={raffle} onClose={onClose} />;
  if (raffle.status === 'open') return <CloseDialog raffle={raffle} onClose={onClose} />;
  return <OpenDialog raffle={raffle} onClose={onClose} />;
}

function DeleteDialog({ raffle, onClose }: ChangeProps) {
  const [remove] = useDeleteRaffleMutation();
  const { pending, problem, run } = useAct(({ sentence }) => sentence);
  return (
    <ConfirmDialog
      title={`Delete ${nameOf(raffle)}?`}
      confirmLabel={pending ? 'Deleting...' : 'Delete'}
      danger
      busy={pending}
      problem={problem}
      onConfirm={() =>
        run(async () => {
          await remove({ landingPage: raffle.landingPage }).unwrap();
          onClose();
        })
      }
      onClose={onClose}
    >
      <p>The draft and its words are gone then. It was never open, so nobody is in it.</p>
    </ConfirmDialog>
  );
}
