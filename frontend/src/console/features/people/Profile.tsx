import { useState } from 'react';
import type { PersonView } from '../../api/people';
import { formatCount, formatDateTime } from '../../../shared/lib/format';
import { raffleName } from '../../lib/raffles';
import { deviceOf } from '../../lib/deviceWords';
import { timesNote } from '../../lib/timeZoneWords';
import { useKeptFocus } from '../../lib/useKeptFocus';
import { useMay } from '../../session/me';
import { Badge } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { Fact, Facts } from './Facts';
import { Tags } from './peopleColumns';
import { PersonLink } from '../../ui/PersonLink';
import { StopTexts } from './StopTexts';

/** Who it is, how they came, and what they have. */
export function Profile({ person }: { person: PersonView }) {
  const { id, phoneNumber, hasOptedOut } = person.profile;
  const part = useKeptFocus(); // the button goes once it has done its work
  const [isStopping, setStopping] = useState(false);
  const mayStop = useMay('edit_people') && phoneNumber !== null && !hasOptedOut;
  return (
    <div {...part}>
      <Card
        title="Sign-up"
        note={timesNote()}
        actions={mayStop && <Button onClick={() => setStopping(true)}>Stop texts</Button>}
      >
        <SignUp person={person} />
        {isStopping && phoneNumber !== null && (
          <StopTexts id={id} phoneNumber={phoneNumber} onClose={() => setStopping(false)} />
        )}
      </Card>
    </div>
  );
}

function SignUp({ person }: { person: PersonView }) {
  const { profile, referredBy, tags, moves } = person;
  return (
    <>
      {profile.erasedAt && (
        <p className="notice">
          This person's data was deleted on {formatDateTime(profile.erasedAt)}. What stays keeps the
          ledger and old drawings checkable.
        </p>
      )}
      <p className="person-tags">
        {profile.isFlagged && <Badge tone="bad">Excluded from raffles</Badge>}
        {profile.hasOptedOut && <Badge tone="warn">Opted out</Badge>}
        <Tags tags={tags} />
      </p>
      <Facts>
        <Fact name="ID">{profile.id}</Fact>
        <Fact name="Landing page">{raffleName(profile.landingPage)}</Fact>
        <Fact name="Entered">{formatDateTime(profile.createdAt)}</Fact>
        <Fact name="Referral code">
          <span className="code">{profile.referralCode}</span>
        </Fact>
        <Fact name="Entered through">
          {referredBy ? <PersonLink {...referredBy} /> : "Nobody's link"}
        </Fact>
        <Fact name="Total entries">
          {formatCount(profile.totalEntries)}
          <span className="quiet-text"> {entriesIn(person)}</span>
        </Fact>
        <Fact name="Campaign texts">
          {campaignTexts(person)}
          {profile.hasOptedOut && (
            <span className="quiet-text">
              {' '}
              Texts start again only when this number texts START to us.
            </span>
          )}
        </Fact>
        <Fact name="IP address">{profile.ipAddress ?? 'Not kept'}</Fact>
        <Fact name="Browser">{profile.userAgent ? deviceOf(profile.userAgent) : 'Not kept'}</Fact>
        {profile.dataSource === 'import' && (
          <Fact name="Imported">
            {profile.consentBasis ?? 'No basis'}, batch {profile.importBatchId}
          </Fact>
        )}
      </Facts>
      {moves.length > 0 && (
        <ul className="person-lines" aria-label="Moves between raffles">
          {moves.map(({ from, to, movedAt }) => (
            <li key={movedAt}>
              Moved from {raffleName(from)} to {raffleName(to)} on {formatDateTime(movedAt)}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function entriesIn({ profile }: PersonView): string {
  const { baseEntries, bonusEntries, paidEntries, heldEntries } = profile;
  const parts = [
    `${formatCount(baseEntries)} for the sign-up`,
    `${formatCount(bonusEntries)} bonus`,
    `${formatCount(paidEntries)} bought`,
    heldEntries !== 0 && `${formatCount(heldEntries)} held for a dispute`,
  ];
  return `(${parts.filter(Boolean).join(', ')})`;
}

function campaignTexts({ profile }: PersonView): string {
  if (profile.hasOptedOut) return 'No: this number gets no texts.';
  return profile.smsCampaigns ? 'Yes, they agreed' : 'No: they did not agree';
}
