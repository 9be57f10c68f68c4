import type { SubmitEvent } from 'react';
import { labels } from '../../lib/early';
import { needsCodes } from '../../lib/phoneVerification';
import { useEntering, type EnteringOptions, type Problem } from './useEntering';

/** The stub of the ticket: a phone number, a free choice about texts, and the button. */
export function EnterForm(options: EnteringOptions) {
  const { register, phoneError, entering, problem, isRenewal, enter, enterWithoutReferral } =
    useEntering(options);
  const label = isRenewal ? 'Get a new code' : labels.enter;
  const hidesCodes = !needsCodes();
  const isUnknownCode = problem?.kind === 'unknown-code';

  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    enter();
  };

  return (
    // `post` keeps the number out of the address should a browser ever send the form by itself.
    <form
      className="enter"
      method="post"
      onSubmit={onSubmit}
      noValidate
      data-landing-page={options.landingPage}
      aria-label="Enter the raffle"
    >
      <div className="field">
        <label htmlFor="phone">Phone number</label>
        <input
          id="phone"
          type="tel"
          autoComplete="tel"
          inputMode="tel"
          required
          aria-invalid={phoneError !== undefined}
          aria-describedby={phoneError ? 'phone-error victory-text' : 'victory-text'}
          {...register('phoneNumber')}
        />
        {phoneError && (
          <p className="field-error" id="phone-error">
            {phoneError}
          </p>
        )}
      </div>
      {/* Each consent is stored with the version of this sentence: CAMPAIGN_WORDING in crates/domain/sms/src/consent.rs. */}
      <label className="consent">
        <input type="checkbox" {...register('smsConsent')} />
        <span>
          Also text me about upcoming raffles, at most 1 text per month. Optional: it doesn't affect
          your chances. Reply STOP to opt out.
        </span>
      </label>
      <div role="alert" className="problem">
        {problem && <ProblemText problem={problem} />}
      </div>
      {isUnknownCode && (
        <button type="button" className="button" onClick={enterWithoutReferral}>
          Enter without a referral
        </button>
      )}
      <button
        type="submit"
        className={isUnknownCode ? 'button quiet' : 'button'}
        aria-disabled={entering}
      >
        {entering ? labels.entering : label}
      </button>
      <p className="note" id="victory-text">
        {/* Prerendered as if there were no codes: the boot script shows both sentences where there are. */}
        <span hidden={hidesCodes} data-if-codes="">
          We'll text you a code.
        </span>{' '}
        You'll get a welcome text, and a victory text if you win. Message and data rates may apply.
        One raffle per phone number. You must be 18 or older and live in the United States. See the{' '}
        <a href="/rules">official rules</a>.
      </p>
      <p className="note" hidden={hidesCodes} data-if-codes="">
        Already entered? Enter the same number to see your entries.
      </p>
    </form>
  );
}

function ProblemText({ problem }: { problem: Problem }) {
  if (problem.kind === 'failed') return <p>{problem.sentence}</p>;
  return (
    <p>
      We don't recognize this code. Check the link with your friend, or enter without it: your entry
      counts the same.
    </p>
  );
}
