import { useEffect } from 'react';
import { asApiError } from '../../../shared/api/apiError';
import { PageFrame } from '../../ui/PageFrame';
import { PageScene } from '../../ui/PageScene';
import { forgetYourPage, yourPage } from '../../lib/yourPage';
import { variantOf } from './variants';
import type { Copy } from '../../../themes/types';

/** 404 says that nobody has this id, 400 that it is no id at all. */
export function isUnknown(error: unknown): boolean {
  return error !== undefined && [400, 404].some((status) => asApiError(error).status === status);
}

export function UnknownEntry({ copy }: { copy: Copy }) {
  useEffect(() => {
    if (yourPage() === location.pathname) forgetYourPage();
  }, []);
  const { isGeneric, palette, raffle } = variantOf(copy);
  const [path, label] = isGeneric
    ? ['/welcome', 'See all raffles']
    : [`/${raffle}`, 'Go to the raffle'];
  return (
    <PageFrame>
      <div className="hello">
        <PageScene palette={palette} />
        <div>
          <h1 tabIndex={-1}>We cannot find this entry</h1>
          <p className="lead">
            The address may be incomplete, or the entry was deleted. To get back to your entries,
            enter again with the same phone number: nothing is added twice.
          </p>
          <a className="button" href={path}>
            {label}
          </a>
        </div>
      </div>
    </PageFrame>
  );
}
