import { useAppForm } from '../../../shared/form/useAppForm';
import { siteName } from '../../../shared/lib/siteName';
import { requireCookies } from '../../lib/cookies';
import { sentenceOf } from '../../lib/sentenceOf';
import { PageFrame } from '../../ui/PageFrame';
import { PageScene } from '../../ui/PageScene';
import { openAfterCall } from './api';
import { callCodeRules } from './callCodeRules';
import { NeedsScript } from './NeedsScript';
import { TextField } from './TextField';

interface Values {
  code: string;
}

/** Where a winner whom we called types the code that was read out. It opens the claim in this browser. */
export function EnterCallCode() {
  const { register, errors, problem, isSubmitting, submit } = useAppForm<Values>({
    defaultValues: { code: '' },
    send: async ({ code }) => {
      requireCookies(); // a code of a call works once, and opens the claim by a cookie
      location.replace(`/claim/${await openAfterCall(code)}`);
    },
    explain: sentenceOf,
  });
  return (
    <PageFrame>
      <div className="ticket claim">
        <section className="ticket-body">
          <p className="ribbon">{siteName}</p>
          <PageScene />
          <h1 tabIndex={-1}>Your prize claim</h1>
          <p className="lead">
            Did we call you about a prize? Type the code that we told you on the phone. It opens
            your claim in this browser.
          </p>
        </section>
        <section className="ticket-stub needs-script" aria-label="Your code">
          <div className="claim-step">
            <form className="code" onSubmit={submit} noValidate aria-label="Open your claim">
              <TextField
                label="Code"
                autoComplete="off"
                field={{ ...register('code', callCodeRules.code), error: errors.code?.message }}
              />
              <div role="alert" className="problem">
                {problem}
              </div>
              <button type="submit" className="button" aria-disabled={isSubmitting}>
                {isSubmitting ? 'Opening...' : 'Open my claim'}
              </button>
            </form>
            <p className="note">
              A code works once, for a day. If yours does not work, tell us on the phone or write to
              us through the <a href="/contact">contact page</a>. If we texted you, use the link in
              the text.
            </p>
          </div>
        </section>
      </div>
      <NeedsScript />
    </PageFrame>
  );
}
