import { useLater } from '../../lib/useLater';
import { useRefresh } from '../../lib/useRefresh';
import { useGetAppealQuery, type User } from './api';
import type { NoticeProps } from './HoldNotice';
import { isOwn } from '../../lib/isOwn';

const ANSWER_MS = 60_000;

interface Props {
  id: number;
  user: User | undefined;
}

/**
 * Says that an entry was drawn, that the entries are on hold, and what became of an appeal. Only the browser that entered asks for it: the
 * server names the number in full to that one alone. If it cannot be asked, the page is as for everybody else.
 */
export function StandingNotice({ id, user }: Props) {
  const { data: standing, refetch } = useGetAppealQuery({ id }, { skip: !isOwn(user, id) });
  const isOpen = standing?.appeal?.status === 'open';
  useRefresh(refetch, isOpen ? ANSWER_MS : undefined);
  if (!standing || !(standing.onHold || standing.appeal || standing.drawing?.claim)) return null;
  return <LoadedNotice id={id} standing={standing} refetch={refetch} />;
}

const load = () => import(/* webpackChunkName: "notices" */ './notices');

function LoadedNotice(props: NoticeProps) {
  const { file, problem, retry } = useLater(load);
  const { drawing, onHold, appeal, why } = props.standing;
  if (file) {
    return (
      <>
        {drawing?.claim && <file.DrawnNotice drawing={drawing} claim={drawing.claim} />}
        {(onHold || appeal) && <file.HoldNotice {...props} />}
      </>
    );
  }
  if (!problem) return null;
  return (
    <div className="card failed" role="alert">
      {why && <p>{why}</p>}
      {drawing?.claim && (
        <p>
          One of your entries was drawn. <a href={drawing.claim.url}>Go to your claim</a>
        </p>
      )}
      <p>{problem}</p>
      <button type="button" className="button quiet" onClick={retry}>
        Try again
      </button>
    </div>
  );
}
