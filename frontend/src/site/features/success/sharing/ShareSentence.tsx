import { useEffect, useRef, useState } from 'react';
import { SHARE_COUNTED } from '../../../lib/tracked';
import { useGetShareProgressQuery } from '../api';
import { inOneLine } from './words';

export interface ShareSentenceProps {
  id: number;
}

/** Nothing before the first share, and nothing where it cannot be asked: nobody misses it. */
export function ShareSentence({ id }: ShareSentenceProps) {
  const { data, isFetching, refetch } = useGetShareProgressQuery({ id });
  const counted = useSharesCounted();
  const read = useRef(0);
  useEffect(() => {
    // An answer on its way may be from before the share, and RTK Query ignores a refetch until it is there.
    if (isFetching || read.current === counted) return;
    read.current = counted;
    void refetch();
  }, [counted, isFetching, refetch]);
  return data ? inOneLine(data) : null;
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
