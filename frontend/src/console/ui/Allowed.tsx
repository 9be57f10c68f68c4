import type { ReactNode } from 'react';
import type { PermissionView } from '../api/me';
import { roleNames } from '../lib/roleWords';
import { useMay, useMe } from '../session/me';
import { QueryLink } from './QueryLink';

interface Props {
  /** Undefined: everybody may see it. */
  needs: PermissionView | undefined;
  /** Of the sentence that stands here instead. */
  heading?: 'h1' | 'h2';
  children: ReactNode;
}

/** A screen for those whose role allows it. An address that somebody else sent may lead others here. */
export function Allowed({ needs, heading = 'h2', children }: Props) {
  const isAllowed = useMay(needs ?? 'own_account');
  return isAllowed || !needs ? children : <NotAllowed heading={heading} />;
}

function NotAllowed({ heading: Heading }: Required<Pick<Props, 'heading'>>) {
  const role = roleNames[useMe()?.role ?? 'viewer'].toLowerCase();
  return (
    <div className="empty">
      <Heading>Not for your role</Heading>
      <p className="quiet-text">
        Your role is {role}, which does not open this page. If you need it, ask an owner of this
        console.
      </p>
      <QueryLink change={{}} clear>
        Go to Analytics
      </QueryLink>
    </div>
  );
}
