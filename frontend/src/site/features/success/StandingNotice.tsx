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
 * Says that the entries are on hold, and what became of an appeal. Only the browser that entered asks for it: the
 * server names the number in full to that one alone. If it cannot be asked, the page is as for everybody else.
 */
export function StandingNotice({ id, user }: Props) {
  const { data: standing, refetch } = useGetAppealQuery({ id }, { skip: !isOwn(user, id) });
  const isOpen = standing?.appeal?.status === 'open';
  useRefresh(refetch, isOpen ? ANSWER_MS : undefined);
  if (!standing || !(standing.onHold || standing.appeal)) return null;
  return <LoadedNotice id={id} standing={standing} refetch={refetch} />;
}

const load = () => import(/* webpackChunkName: "hold-notice" */ './HoldNotice');

/** The notice is a file of its own: few people ever see it. */
function LoadedNotice(props: NoticeProps) {
  const { file, problem, retry } = useLater(load);
  if (file) return <file.HoldNotice {...props} />;
  if (!problem) return null;
  return (
    <div className="card failed" role="alert">
      {props.standing.why && <p>{props.standing.why}</p>}
      <p>{problem}</p>
      <button type="button" className="button quiet" onClick={retry}>
        Try again
      </button>
    </div>
  );
}
