import { useEffect, useRef } from 'react';
import { Ended } from '../../ui/Ended';
import { PageScene } from '../../ui/PageScene';
import { NextDrawing } from '../../ui/NextDrawing';
import { PageFrame } from '../../ui/PageFrame';
import { PrizeList } from '../../ui/PrizeList';
import { WayBack } from '../../ui/WayBack';
import { useToast } from '../../../shared/ui/toast/useToast';
import { ALREADY_IN, yourPage } from '../../lib/yourPage';
import type { Raffle } from '../../../themes/types';
import { worthOf } from '../../../shared/lib/inDollars';
import type { RegisteredUser } from './api';
import { EntryStub } from './EntryStub';
import { forgetLink, keptCode } from './keptLink';
import { tearOff } from './tearOff';

export interface SignUpPageProps {
  raffle: Raffle;
  /** Of the address. */
  referralCode?: string | undefined;
  prepare: () => void;
  onEntered: (user: RegisteredUser) => Promise<void>;
}

export function SignUpPage(props: SignUpPageProps) {
  const { raffle, prepare, onEntered } = props;
  const { isOpen } = raffle;
  const referralCode = props.referralCode ?? keptCode();
  const stub = useRef<HTMLElement>(null);
  const toast = useToast();

  useEffect(() => {
    if (!referralCode) forgetLink(); // what the tab opened has no code in it
  }, [referralCode]);

  async function onAnswer(user: RegisteredUser, byReferral: boolean) {
    forgetLink();
    if (user.isNew) {
      toast(byReferral ? referredToast : enteredToast(raffle));
      await tearOff(stub.current);
    }
    await onEntered(user);
  }

  return (
    <PageFrame aside={<WayBack />}>
      <div className="ticket offer">
        <section className="ticket-body">
          <p className="ribbon">
            {isOpen ? 'Free Monthly Raffle, No Purchase Required' : 'This raffle has ended'}
          </p>
          <div className="pitch">
            {/* The boot script shows it: see LINK_KEY. */}
            {isOpen && (
              <p className="referred">
                {yourPage() ? ALREADY_IN : 'Bonus Entry! You were referred by someone'}
              </p>
            )}
            <h1 tabIndex={-1}>{isOpen ? raffle.title : raffle.name}</h1>
            <PageScene palette={raffle.palette} />
            <p className="lead">{raffle.description}</p>
            <dl className="facts">
              <div>
                <dt>Total value</dt>
                <dd className="figure">{worthOf(raffle)}</dd>
              </div>
              {isOpen && (
                <div>
                  <dt>Cost to enter</dt>
                  <dd className="figure">Free</dd>
                </div>
              )}
            </dl>
            {isOpen && raffle.showsNextDrawing && (
              <p className="drawing">
                Next Drawing: <NextDrawing />
              </p>
            )}
          </div>
        </section>
        <section className="ticket-stub" ref={stub} aria-labelledby="stub-title">
          {isOpen ? (
            <>
              <EntryStub
                landingPage={raffle.key}
                referralCode={referralCode}
                prepare={prepare}
                onEntered={onAnswer}
              />
              <noscript>
                <p className="problem">
                  Entering needs JavaScript, and it's turned off in this browser. Turn it on and
                  reload this page. The <a href="/rules">official rules</a> tell you everything
                  about entering.
                </p>
              </noscript>
            </>
          ) : (
            <Ended raffle={raffle} referralCode={referralCode} titleId="stub-title" />
          )}
        </section>
      </div>
      {/* The server names the last winner here, and React leaves it as it is. */}
      <div
        className="last-winner"
        suppressHydrationWarning
        dangerouslySetInnerHTML={{ __html: '' }}
      />
      <PrizeList title="What the kit includes" items={raffle.kit} totalValue={worthOf(raffle)} />
      {isOpen && <HowItWorks />}
    </PageFrame>
  );
}

function HowItWorks() {
  return (
    <section className="steps" aria-labelledby="steps-title">
      <h2 id="steps-title">How it works</h2>
      <ol>
        <li>
          <h3>Enter with your phone number</h3>
          <p>One number, one raffle, one entry to start with. It's free and takes a few seconds.</p>
        </li>
        <li>
          <h3>Share your link</h3>
          <p>You get one more entry for each friend who enters through your own link.</p>
        </li>
        <li>
          <h3>Wait for the drawing</h3>
          <p>We plan it for the 1st of every month, and text the winner.</p>
        </li>
      </ol>
    </section>
  );
}

const enteredToast = (raffle: Raffle) => ({
  title: 'Registration successful!',
  description: `You're now entered to win the ${raffle.name}!`,
});

const referredToast = {
  title: 'Successfully registered!',
  description: "You've been entered via referral link.",
};
