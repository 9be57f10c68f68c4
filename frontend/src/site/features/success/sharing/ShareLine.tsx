import { useEffect, useState } from 'react';
import { whenIdle } from '../../../../shared/lib/whenIdle';
import { useLater } from '../../../lib/useLater';
import type { UserStats } from '../api';
import { inFigures } from '../inFigures';

const load = () => import(/* webpackChunkName: "share-sentence" */ './ShareSentence');

interface Props {
  id: number;
  stats: UserStats | undefined;
}

/** What the next friend is worth; after a share, what came of it, which is asked for when the page is done. */
export function ShareLine({ id, stats }: Props) {
  const [isIdle, setIdle] = useState(false);
  const [sentence, setSentence] = useState<string>();
  useEffect(() => whenIdle(() => setIdle(true)), []);
  const { file } = useLater(load, isIdle);
  const milestone = stats && (
    <>
      1 more friend: <span>{inFigures(stats).next}</span> entries in all.
    </>
  );
  return (
    <p className="note share-line">
      {sentence ?? milestone}
      {file && <file.ShareSentence id={id} say={setSentence} />}
    </p>
  );
}
