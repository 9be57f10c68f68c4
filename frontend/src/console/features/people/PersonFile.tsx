import { useEffect, useRef, type ReactNode } from 'react';
import { useGetPersonQuery, type PersonView } from '../../api/people';
import { asApiError } from '../../../shared/api/apiError';
import { formatPhone } from '../../../shared/lib/phone';
import { QueryLink } from '../../ui/QueryLink';
import { EmptyState, QueryView } from '../../ui/states';
import { DataRequests } from './DataRequests';
import { Duplicates } from './Duplicates';
import { Flags } from './Flags';
import { Claims, Ledger, Purchases, Referrals, Replies, Texts } from './lists';
import { NotesForm } from './NotesForm';
import { Profile } from './Profile';

/** Everything about one person. */
export function PersonFile({ id }: { id: number }) {
  const found = useGetPersonQuery({ id }, { refetchOnMountOrArgChange: true });
  const back = useRef<HTMLDivElement>(null);
  useEffect(() => back.current?.querySelector('a')?.focus(), []); // the link that led here is gone
  const isUnknown = found.error !== undefined && asApiError(found.error).status === 404;
  return (
    <>
      <header className="screen-head">
        <h1>{titleOf(found.currentData)}</h1>
        <div ref={back}>
          <QueryLink change={{ section: 'people' }} clear>
            Back to all people
          </QueryLink>
        </div>
      </header>
      {isUnknown ? (
        <EmptyState title="There is nobody with this ID">
          The address may be incomplete. Search for the phone number instead.
        </EmptyState>
      ) : (
        <QueryView query={found} holdsForm>
          {(person) => <Parts person={person} />}
        </QueryView>
      )}
    </>
  );
}

function titleOf(person: PersonView | undefined): string {
  if (!person) return 'Person';
  const { phoneNumber } = person.profile;
  return phoneNumber ? formatPhone(phoneNumber) : 'Deleted person';
}

function Parts({ person }: { person: PersonView }) {
  const { profile } = person;
  const isErased = profile.erasedAt !== null;
  return (
    <div className="grid">
      <Profile person={person} />
      {!isErased && (
        <Pair>
          <NotesForm id={profile.id} tags={person.tags} notes={person.notes} />
          <DataRequests id={profile.id} phoneNumber={profile.phoneNumber} />
        </Pair>
      )}
      {!isErased && <Duplicates person={person} />}
      <Flags person={person} />
      <Pair>
        <Ledger ledger={person.ledger} />
        <Referrals referrals={person.referrals} />
      </Pair>
      <Purchases purchases={person.purchases} />
      <Texts texts={person.texts} />
      <Pair>
        <Replies replies={person.replies} />
        <Claims claims={person.claims} />
      </Pair>
    </div>
  );
}

function Pair({ children }: { children: ReactNode }) {
  return (
    <div className="grid" data-columns="2">
      {children}
    </div>
  );
}
