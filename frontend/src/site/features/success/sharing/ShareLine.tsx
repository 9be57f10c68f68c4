import { useEffect, useState } from 'react';
import { whenIdle } from '../../../../shared/lib/whenIdle';
import { useLater } from '../../../lib/useLater';
import type { ShareSentenceProps } from './ShareSentence';

const load = () => import(/* webpackChunkName: "share-sentence" */ './ShareSentence');

/** A line about one's own shares: asked for when the page is done, and kept empty until then, so that nothing moves. */
export function ShareLine(props: ShareSentenceProps) {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => whenIdle(() => setIdle(true)), []);
  const { file } = useLater(load, isIdle);
  return <p className="note share-line">{file && <file.ShareSentence {...props} />}</p>;
}
