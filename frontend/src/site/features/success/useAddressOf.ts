import { useEffect } from 'react';

/**
 * An address with an id from before ids became random works in the browser that entered. The server answers the id of now,
 * which everything else on the page needs, so the page moves there.
 */
export function useAddressOf(now: number, asked: number, move: (path: string) => void) {
  useEffect(() => {
    if (now === asked) return;
    const path = location.pathname.replace(`/success/${asked}`, `/success/${now}`);
    move(path + location.search + location.hash);
  }, [now, asked, move]);
}

/** Goes to another address in the place of this one, by way of the server. */
export const movePage = (path: string) => location.replace(path);
