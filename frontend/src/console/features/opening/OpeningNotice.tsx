import { useGetOpeningQuery } from '../../api/admin';
import { refreshed } from '../../lib/polled';
import { useBetweenPresses } from '../../lib/useBetweenPresses';
import { QueryLink } from '../../ui/QueryLink';
import { missingOf, words } from './words';

/** On every other screen, while this site is not ready for visitors. */
export function OpeningNotice() {
  const { data } = useGetOpeningQuery(undefined, refreshed);
  const missing = missingOf(useBetweenPresses(data)?.checks);
  if (missing.length === 0) return null;
  const titles = missing.map(({ name }) => words[name].title.toLowerCase());
  return (
    <p className="notice opening-notice" role="status">
      Not ready for visitors. Missing: {titles.join(', ')}.{' '}
      <QueryLink change={{ section: 'opening' }} clear>
        What to do before you open
      </QueryLink>
    </p>
  );
}
