import { asApiError } from '../../../../shared/api/apiError';
import { formatPhone } from '../../../../shared/lib/phone';
import { useChangeConsentMutation, useGetConsentQuery } from '../api';

/** Switches texts about raffles on and off. Only the browser that entered has it. */
export function ConsentSwitch({ id }: { id: number }) {
  const { data: consent } = useGetConsentQuery({ id });
  const [change, { isLoading, isSuccess, error, originalArgs }] = useChangeConsentMutation();
  if (!consent) return null;

  const wanted = originalArgs?.consentBody.smsCampaigns;
  const isOn = isLoading && wanted !== undefined ? wanted : consent.smsCampaigns;
  const toggle = () => {
    if (!isLoading) void change({ id, consentBody: { smsCampaigns: !isOn } });
  };
  return (
    <section className="card texts" aria-labelledby="texts-title">
      <h2 id="texts-title">Texts about raffles</h2>
      {/* Each consent is stored with the version of this sentence: SWITCH_WORDING in crates/domain/sms/src/consent.rs. */}
      <label className="consent">
        <input type="checkbox" role="switch" checked={isOn} onChange={toggle} />
        <span>
          Text me about upcoming raffles, at most 1 text per month. Message and data rates may
          apply. Reply STOP to opt out.
        </span>
      </label>
      {consent.hasOptedOut && (
        <p>
          Your number gets no texts from us, because it replied STOP. To get texts again, text START
          {consent.textsFrom && <> to {formatPhone(consent.textsFrom)}</>}.
        </p>
      )}
      <p className="note" role="status">
        {isSuccess && (consent.smsCampaigns ? 'Saved: texts are on.' : 'Saved: texts are off.')}
      </p>
      {error && (
        <p className="field-error" role="alert">
          {asApiError(error).sentence}
        </p>
      )}
    </section>
  );
}
