import { useEffect, useRef, useState } from 'react';
import { SHARE_COUNTED } from '../../../lib/tracked';
import { useGetShareProgressQuery } from '../api';
import { inOneLine } from './words';

interface Props {
  id: number;
  /** Told nothing before the first share, and where shares cannot be asked: nobody misses it. */
  say: (sentence: string | undefined) => void;
}

/** Reads the shares, and again when one was counted. Shows nothing itself. */
export function ShareSentence({ id, say }: Props) {
  const { data, isFetching, refetch } = useGetShareProgressQuery({ id });
  const counted = useSharesCounted();
  const read = useRef(0);
  useEffect(() => say(data && inOneLine(data)), [data, say]);
  useEffect(() => {
    // An answer on its way may be from before the share, and RTK Query ignores a refetch until it is there.
    if (isFetching || read.current === counted) return;
    read.current = counted;
    void refetch();
  }, [counted, isFetching, refetch]);
  return null;
}

/** How many shares the server has counted since this is shown. */
function useSharesCounted(): number {
  const [counted, setCounted] = useState(0);
  useEffect(() => {
    const onCounted = () => setCounted((count) => count + 1);
    addEventListener(SHARE_COUNTED, onCounted);
    return () => removeEventListener(SHARE_COUNTED, onCounted);
  }, []);
  return counted;
}
