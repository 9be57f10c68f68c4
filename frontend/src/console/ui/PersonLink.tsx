import type { ReactNode } from 'react';
import { formatPhone } from '../../shared/lib/phone';
import { QueryLink } from './QueryLink';

interface Props {
  id: number;
  /** Null once the person was erased. */
  phoneNumber: string | null;
  /** What the link says instead of the number. */
  children?: ReactNode;
}

/** Leads to everything about a person. */
export function PersonLink({ id, phoneNumber, children }: Props) {
  return (
    <QueryLink change={{ section: 'people', person: String(id) }} clear>
      {children ?? (
        <span className="number">
          {phoneNumber ? formatPhone(phoneNumber) : `Deleted, ID ${id}`}
        </span>
      )}
    </QueryLink>
  );
}
