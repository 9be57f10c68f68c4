import { useEffect } from 'react';
import { useGetShareProgressQuery } from '../api';
import { inOneLine } from './words';

export interface ShareSentenceProps {
  id: number;
  /** How many shares from this page the server has counted: after each, it is asked again. */
  counted: number;
}

/** Nothing before the first share, and nothing where it cannot be asked: nobody misses it. */
export function ShareSentence({ id, counted }: ShareSentenceProps) {
  const { data, refetch } = useGetShareProgressQuery({ id });
  useEffect(() => {
    if (counted > 0) void refetch();
  }, [counted, refetch]);
  return data ? inOneLine(data) : null;
}
