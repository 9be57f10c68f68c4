import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { object, string, type ObjectSchema, type SchemaDescription } from 'yup';
import { newPackage } from '../console/features/pricing/packageValues';
import { packageSchema } from '../console/features/pricing/schema';
import {
  additionalSchema,
  beaconSchema,
  voidSchema,
} from '../console/features/performDrawing/schema';
import { most, MOST_PARTS } from '../console/features/raffles/content';
import { closingSchema, openingSchema } from '../console/features/raffles/schema';
import { decisionSchema, networkSchema } from '../console/features/security/schema';
import { reasonSchema } from '../console/ui/flagging/schema';
import { signInRules } from '../console/features/signIn/rules';
import { nameRule } from '../console/features/staff/rules';
import { claimSchema } from '../console/features/claims/schema';
import { optOutSchema } from '../console/features/people/schema';
import { stopNumberSchema } from '../console/features/replies/schema';
import { campaignSchema } from '../console/features/smsCampaigns/campaignSchema';
import { newCampaign } from '../console/features/smsCampaigns/campaignValues';
import { templateSchema } from '../console/features/smsCampaigns/templateSchema';
import { newTemplate } from '../console/features/smsCampaigns/templateValues';
import { credentialSchema } from '../console/features/textProvider/credentialSchema';
import { welcomeSchema } from '../console/features/welcomeSms/schema';
import { codeRule } from '../console/form/codeRules';
import { newPasswordRule, ownPasswordRule } from '../console/form/passwordRules';
import { testTextSchema } from '../console/ui/testText/testTextSchema';
import { callCodeRules } from '../site/features/claim/callCodeRules';
import { emptyDetails } from '../site/features/claim/draft';
import { detailsSchema } from '../site/features/claim/schema';
import { enterSchema } from '../site/features/entering/schema';
import { codeRules } from '../site/lib/codeRules';
import { messageRules } from '../site/lib/messageRules';

/** What the server states of a field of a body. */
interface Property {
  type?: string | string[];
  $ref?: string;
  oneOf?: Property[];
  enum?: string[];
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  maxItems?: number;
}

interface BodySchema {
  required?: string[];
  properties: Record<string, Property>;
}

interface Operation {
  requestBody?: { content: Record<string, { schema: { $ref?: string } }> };
}

const openapi = JSON.parse(readFileSync('../docs/openapi.json', 'utf8')) as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, BodySchema & Property> };
};

type Values = Record<string, unknown>;

/** How a field of a body is typed. */
interface Input {
  /** The form's values for a value of the body. */
  type: (value: unknown) => Values;
  /** The form's field whose error it is. */
  name: string;
  /** A text of so many characters that breaks no other rule; of letters that are two UTF-16 units without one. */
  sample?: (length: number) => string;
  /** Why the form takes less than the server's `maxLength`. */
  takesLess?: string;
}

interface Form {
  bodies: string[];
  schema: ObjectSchema<Values>;
  /** Breaks no rule. */
  valid: Values;
  inputs: Record<string, Input>;
  /** Fields of the body that no input fills in, and where they come from. */
  untyped?: Record<string, string>;
}

const typed = (name: string, more: Partial<Input> = {}): Input => ({
  name,
  type: (value) => ({ [name]: typeof value === 'number' ? String(value) : value }),
  ...more,
});

const digits = (length: number) => '5'.repeat(length);

/** Rules that a form gives to `register`, as a schema. */
const schemaFrom = (rules: Record<string, { validate: (value: string) => string | undefined }>) =>
  object(
    Object.fromEntries(
      Object.entries(rules).map(([name, { validate }]) => [
        name,
        string().test('rule', (value = '') => validate(value) === undefined),
      ]),
    ),
  );

const noParcel = { carrier: '', trackingNumber: '' };

const forms: Record<string, Form> = {
  'sign-up': {
    bodies: ['RegisterBody', 'RegisterReferredBody'],
    schema: enterSchema,
    valid: { phoneNumber: '5551234567', smsConsent: false },
    inputs: { phoneNumber: typed('phoneNumber', { sample: digits }) },
    untyped: {
      landingPage: 'the page',
      referralCode: 'the address of the page',
      event_id: 'newEventId',
    },
  },
  'the code of a sign-up': {
    bodies: ['VerifyBody'],
    schema: schemaFrom(codeRules),
    valid: { code: '123456' },
    inputs: {
      code: typed('code', { sample: digits, takesLess: 'a code has 6 digits' }),
    },
    untyped: { verificationId: 'the sign-up' },
  },
  'sign-in': {
    bodies: ['LoginBody'],
    schema: schemaFrom({ ...signInRules, code: codeRule }),
    valid: { username: 'admin', password: 'secret', code: '123456' },
    inputs: {
      username: typed('username'),
      password: typed('password', { sample: digits }),
      code: typed('code', { sample: digits, takesLess: 'a code has 6 digits' }),
    },
  },
  invitation: {
    bodies: ['InviteBody'],
    schema: schemaFrom({ name: nameRule }),
    valid: { name: 'ben' },
    inputs: { name: typed('name', { sample: digits }) },
    untyped: { role: 'a list of all roles' },
  },
  'first password': {
    bodies: ['InvitationBody'],
    schema: schemaFrom({ password: newPasswordRule }),
    valid: { password: 'correct horse battery' },
    inputs: { password: typed('password', { sample: digits }) },
  },
  'another password': {
    bodies: ['PasswordBody'],
    schema: schemaFrom({ current: ownPasswordRule, next: newPasswordRule }),
    valid: { current: 'secret', next: 'correct horse battery' },
    inputs: {
      current: typed('current', { sample: digits }),
      next: typed('next', { sample: digits }),
    },
  },
  'the beginning of a second factor': {
    bodies: ['TotpSetUpBody'],
    schema: schemaFrom({ password: ownPasswordRule }),
    valid: { password: 'secret' },
    inputs: { password: typed('password', { sample: digits }) },
  },
  'the code of a second factor': {
    bodies: ['TotpCodeBody'],
    schema: schemaFrom({ code: codeRule }),
    valid: { code: '123456' },
    inputs: { code: typed('code', { sample: digits, takesLess: 'a code has 6 digits' }) },
  },
  drawing: {
    bodies: ['PerformDrawingBody'],
    schema: additionalSchema,
    valid: {
      landingPage: 'garden-bag',
      reason: 'Our birthday',
      prizeName: 'A second bag',
      prizeValue: '$49',
    },
    inputs: { landingPage: typed('landingPage'), reason: typed('reason') },
    untyped: { prize: 'the two fields of the prize' },
  },
  'a void drawing': {
    bodies: ['VoidBody'],
    schema: voidSchema,
    valid: { reason: 'No beacon' },
    inputs: { reason: typed('reason') },
  },
  'closing a raffle': {
    bodies: ['CloseRaffleBody'],
    schema: closingSchema,
    valid: { when: 'now', reason: 'The prize is gone' },
    inputs: { reason: typed('reason') },
    untyped: { now: 'the choice of when' },
  },
  'opening a raffle': {
    bodies: ['OpenRaffleBody'],
    schema: openingSchema,
    valid: { when: 'month' },
    inputs: {},
    untyped: { at: 'the choice of when' },
  },
  'a round of the beacon': {
    bodies: ['BeaconBody'],
    schema: beaconSchema,
    valid: { signature: '07'.repeat(48) },
    inputs: { signature: typed('signature') },
    untyped: { round: 'the drawing' },
  },
  package: {
    bodies: ['PackageBody'],
    schema: packageSchema,
    valid: { ...newPackage, name: 'Starter', description: 'A few more chances' },
    inputs: {
      name: typed('name'),
      description: typed('description'),
      entries: typed('entries'),
      price: typed('price', { type: (cents) => ({ price: (Number(cents) / 100).toFixed(2) }) }),
      sortOrder: typed('sortOrder'),
    },
    untyped: {
      entryCount: 'another name of entries, which is not sent',
      priceInCents: 'another name of price, which is not sent',
    },
  },
  'flag and unflag': {
    bodies: ['FlagBody', 'UnflagBody'],
    schema: reasonSchema,
    valid: { reason: 'A family' },
    inputs: { reason: typed('reason') },
    untyped: { userId: 'the row', publicReason: 'the button' },
  },
  appeal: {
    bodies: ['AppealBody'],
    schema: schemaFrom(messageRules),
    valid: { message: 'We are four people in one house.' },
    inputs: { message: typed('message') },
  },
  'the code of a claim': {
    bodies: ['ClaimCodeBody'],
    schema: schemaFrom(codeRules),
    valid: { code: '123456' },
    inputs: {
      code: typed('code', { sample: digits, takesLess: 'a code has 6 digits' }),
    },
  },
  'the code of a call': {
    bodies: ['CallCodeBody'],
    schema: schemaFrom(callCodeRules),
    valid: { code: 'ABCDE-23456' },
    inputs: {
      code: typed('code', {
        sample: (length) => 'ABCDE23456'.padEnd(length, '-').slice(0, length),
        takesLess: 'a code has 10 letters and digits',
      }),
    },
  },
  'the details of a winner': {
    bodies: ['ClaimDetailsBody'],
    schema: detailsSchema,
    valid: {
      ...emptyDetails,
      name: 'Ana Reyes',
      addressLine1: '1 Main Street',
      city: 'Albany',
      state: 'NY',
      postalCode: '12207',
      isAdult: true,
      isResident: true,
      rulesAccepted: true,
    },
    inputs: {
      name: typed('name'),
      addressLine1: typed('addressLine1'),
      addressLine2: typed('addressLine2'),
      city: typed('city'),
      state: typed('state', { takesLess: 'the list has all there are' }),
      postalCode: typed('postalCode', { takesLess: 'a ZIP code has 5 or 9 digits' }),
      isAdult: typed('isAdult'),
      isResident: typed('isResident'),
      rulesAccepted: typed('rulesAccepted'),
      publicity: typed('publicity'),
    },
  },
  objection: {
    bodies: ['ObjectionBody'],
    schema: schemaFrom(messageRules),
    valid: { message: 'I turned 18 in March.' },
    inputs: { message: typed('message') },
  },
  decision: {
    bodies: ['DecisionBody'],
    schema: decisionSchema,
    valid: { decision: 'reject', note: 'One phone' },
    inputs: { decision: typed('decision'), note: typed('note') },
  },
  'shared network': {
    bodies: ['SharedNetworkBody'],
    schema: networkSchema,
    valid: { network: '192.0.2.0/24', label: 'A school' },
    inputs: { network: typed('network'), label: typed('label') },
  },
  credentials: {
    bodies: ['CredentialsBody'],
    schema: credentialSchema,
    valid: {
      TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
      TWILIO_AUTH_TOKEN: '0'.repeat(32),
      TWILIO_PHONE_NUMBER: '5551234567',
    },
    inputs: {
      TWILIO_ACCOUNT_SID: typed('TWILIO_ACCOUNT_SID'),
      TWILIO_AUTH_TOKEN: typed('TWILIO_AUTH_TOKEN'),
      TWILIO_PHONE_NUMBER: typed('TWILIO_PHONE_NUMBER'),
    },
  },
  'test text': {
    bodies: ['TestTextBody'],
    schema: testTextSchema,
    valid: { phoneNumber: '5551234567' },
    inputs: { phoneNumber: typed('phoneNumber') },
  },
  template: {
    bodies: ['SmsTemplateBody'],
    schema: templateSchema,
    valid: {
      ...newTemplate(),
      landingPage: 'garden-bag',
      name: 'Summer',
      messageTemplate: 'Your garden waits: {LINK}',
    },
    inputs: {
      name: typed('name'),
      landingPage: typed('landingPage'),
      messageTemplate: typed('messageTemplate', {
        sample: (length) => '{LINK}'.padEnd(length, 'x'),
        takesLess: 'the links that are put in take more room than the placeholders',
      }),
    },
    untyped: { linkPlaceholder: 'the usual one, or the one that the template has' },
  },
  'the rejection of a claim': {
    bodies: ['RejectionBody'],
    schema: claimSchema,
    valid: { act: 'reject', reason: 'fraud', note: 'Ten accounts', ...noParcel },
    inputs: { reason: typed('reason'), note: typed('note') },
  },
  'a number that gets no more texts': {
    bodies: ['NumberOptOutBody'],
    schema: stopNumberSchema,
    valid: { phoneNumber: '5551234567', reason: 'Wrote a letter' },
    inputs: { phoneNumber: typed('phoneNumber'), reason: typed('reason') },
  },
  'a person who gets no more texts': {
    bodies: ['OptOutBody'],
    schema: optOutSchema,
    valid: { reason: 'Asked on the phone' },
    inputs: { reason: typed('reason') },
  },
  'a note about a claim': {
    bodies: ['ClaimNoteBody'],
    schema: claimSchema,
    valid: { act: 'call', reason: '', note: 'Nobody answered', ...noParcel },
    inputs: { note: typed('note') },
  },
  'how a prize was sent': {
    bodies: ['ShipmentBody'],
    schema: claimSchema,
    valid: { act: 'ship', reason: '', note: '', carrier: 'UPS', trackingNumber: '1Z999AA1' },
    inputs: {
      carrier: typed('carrier'),
      trackingNumber: typed('trackingNumber', { takesLess: 'the number has no spaces there' }),
    },
  },
  campaign: {
    bodies: ['CampaignBody'],
    schema: campaignSchema,
    valid: {
      ...newCampaign,
      templateId: '4',
      campaignName: 'July news',
      scheduledDate: '2099-11-21T15:04',
    },
    inputs: {
      templateId: typed('templateId'),
      campaignName: typed('campaignName'),
      targetAudience: {
        name: 'targetAudience',
        type: (targetAudience) => ({
          targetAudience,
          landingPageFilter: 'garden-bag',
          customPhoneNumbers: '5551234567',
          consentBasis: 'They asked for it.',
        }),
      },
      landingPageFilter: {
        name: 'landingPageFilter',
        type: (landingPageFilter) => ({ targetAudience: 'landing_page', landingPageFilter }),
      },
      customPhoneNumbers: {
        name: 'customPhoneNumbers',
        type: (numbers) => ({
          targetAudience: 'custom',
          customPhoneNumbers: (numbers as string[]).join('\n'),
          consentBasis: 'They asked for it.',
        }),
      },
      consentBasis: {
        name: 'consentBasis',
        type: (consentBasis) => ({
          targetAudience: 'custom',
          customPhoneNumbers: '5551234567',
          consentBasis,
        }),
      },
      trackingUrlBase: typed('trackingUrlBase', {
        sample: (length) => 'https://'.padEnd(length, 'x'),
      }),
    },
  },
  'welcome message': {
    bodies: ['WelcomeSmsBody', 'WelcomeSmsChangeBody'],
    schema: welcomeSchema,
    valid: { landingPage: 'garden-bag', messageTemplate: 'Welcome' },
    inputs: {
      landingPage: typed('landingPage'),
      messageTemplate: typed('messageTemplate'),
    },
  },
};

/** Bodies that no form fills in, and what does. */
const withoutForm: Record<string, string> = {
  PublishBody: 'a button',
  RaffleOrderBody: 'buttons',
  NewRaffleBody: 'a dialog that knows the pattern: NewRaffleDialog',
  CopyRaffleBody: 'the same dialog',
  SaveDraftBody: 'a form that saves what is unfinished, and counts: see below',
  ActiveBody: 'a switch',
  MemberBody: 'a list of all roles, or a button',
  ConsentBody: 'a switch',
  SettingsBody: 'a switch',
  FunnelStepBody: 'tracking',
  PageViewBody: 'tracking',
  SocialShareBody: 'tracking',
  TrackClickBody: 'tracking',
  VisitorEventBody: 'tracking',
  PushSubscriptionBody: 'a button',
  EndedSubscriptionBody: 'a button',
  ResendBody: 'a button',
  DataRequestBody: 'a button',
  ReplyDecisionBody: 'two buttons',
  DataCodeBody: 'the call for people',
  DuplicateBody: 'the call for people',
  PersonBody: 'the call for people',
  ConfirmPaymentBody: 'the purchase',
  CreatePaymentIntentBody: 'the purchase',
};

const schemaOf = (ref: string) => openapi.components.schemas[ref.split('/').at(-1) ?? ''];

/** All that is stated of a field, with what it refers to. */
function statedOf(property: Property): Property {
  const parts = [...(property.oneOf ?? []), ...(property.$ref ? [schemaOf(property.$ref)] : [])];
  return parts.reduce<Property>((all, part) => ({ ...all, ...(part && statedOf(part)) }), property);
}

interface Field extends Input {
  title: string;
  isRequired: boolean;
  stated: Property;
  form: Form;
}

const propertiesOf = (body: string) => Object.entries(schemaOf(body)?.properties ?? {});

/** Every input of every form, with what the server states of it. */
const fields: Field[] = Object.entries(forms).flatMap(([title, form]) =>
  form.bodies.flatMap((body) =>
    propertiesOf(body).flatMap(([name, property]) => {
      const input = form.inputs[name];
      const isRequired = schemaOf(body)?.required?.includes(name) ?? false;
      const stated = statedOf(property);
      return input
        ? [{ ...input, title: `${title}: ${body}.${name}`, isRequired, stated, form }]
        : [];
    }),
  ),
);

/** Whether the form finds something wrong with this value of the body. */
async function isRefused({ form, type, name }: Field, value: unknown): Promise<boolean> {
  const validated = form.schema.validate({ ...form.valid, ...type(value) }, { abortEarly: false });
  return validated.then(
    () => false,
    ({ inner }: { inner: { path: string }[] }) => inner.some(({ path }) => path === name),
  );
}

const emoji = (length: number) => '🎟'.repeat(length);
const sampleOf = (field: Field, length: number) => (field.sample ?? emoji)(length);
const having = (limit: keyof Property) =>
  fields.filter(({ stated }) => stated[limit] !== undefined);

describe('the forms', () => {
  it.each(Object.entries(forms))('%s takes what breaks no rule', async (_, { schema, valid }) => {
    await expect(schema.validate(valid)).resolves.toBeDefined();
  });

  it.each(fields.filter(({ isRequired }) => isRequired))('$title is required', async (field) => {
    expect(await isRefused(field, '')).toBe(true);
  });

  it.each(having('minLength'))('$title is not too short', async (field) => {
    const { minLength = 0 } = field.stated;
    expect(await isRefused(field, sampleOf(field, minLength - 1).slice(0, minLength - 1))).toBe(
      true,
    );
    if (field.takesLess === undefined) {
      expect(await isRefused(field, sampleOf(field, minLength))).toBe(false);
    }
  });

  it.each(having('maxLength'))('$title is not too long', async (field) => {
    const { maxLength = 0 } = field.stated;
    expect(await isRefused(field, sampleOf(field, maxLength + 1))).toBe(true);
    if (field.takesLess === undefined) {
      expect(await isRefused(field, sampleOf(field, maxLength))).toBe(false);
    }
  });

  it.each(having('pattern'))('$title has the stated pattern', ({ form, name, stated }) => {
    const { tests } = form.schema.describe().fields[name] as SchemaDescription;
    const patterns = tests.map(({ params }) => (params?.regex as RegExp | undefined)?.source);
    expect(patterns).toContain(stated.pattern);
  });

  it.each(having('minimum'))('$title is not too small', async (field) => {
    const { minimum = 0 } = field.stated;
    expect(await isRefused(field, minimum - 1)).toBe(true);
    expect(await isRefused(field, minimum)).toBe(false);
  });

  it.each(having('maximum'))('$title is not too large', async (field) => {
    const { maximum = 0 } = field.stated;
    expect(await isRefused(field, maximum + 1)).toBe(true);
    expect(await isRefused(field, maximum)).toBe(false);
  });

  it.each(having('maxItems'))('$title has not too many items', async (field) => {
    const { maxItems = 0 } = field.stated;
    const items = Array.from({ length: maxItems + 1 }, (_, index) => `+1${2_000_000_000 + index}`);
    expect(await isRefused(field, items)).toBe(true);
    expect(await isRefused(field, items.slice(1))).toBe(false);
  });

  it.each(having('enum'))('$title is one of the stated values', async (field) => {
    expect(await isRefused(field, 'another')).toBe(true);
    for (const value of field.stated.enum ?? []) expect(await isRefused(field, value)).toBe(false);
  });
});

describe('the table of forms', () => {
  const bodies = Object.values(openapi.paths)
    .flatMap((path) => Object.values(path))
    .flatMap(({ requestBody }) => Object.values(requestBody?.content ?? {}))
    .flatMap(({ schema }) => schema.$ref?.split('/').at(-1) ?? []);
  const inTable = Object.values(forms).flatMap((form) => form.bodies);

  it('has every body that the server takes', () => {
    expect(new Set([...inTable, ...Object.keys(withoutForm)])).toEqual(new Set(bodies));
  });

  const limits = ['minLength', 'maxLength', 'pattern', 'minimum', 'maximum', 'maxItems', 'enum'];

  it.each(Object.entries(forms))('has every limited field of %s', (_, form) => {
    const known = new Set([...Object.keys(form.inputs), ...Object.keys(form.untyped ?? {})]);
    const stated = form.bodies.flatMap(propertiesOf).map(([name]) => name);
    const limited = form.bodies.flatMap((body) =>
      propertiesOf(body)
        .filter(
          ([name, property]) =>
            schemaOf(body)?.required?.includes(name) ||
            limits.some((limit) => limit in statedOf(property)),
        )
        .map(([name]) => name),
    );
    expect(limited.filter((name) => !known.has(name))).toEqual([]);
    expect([...known].filter((name) => !stated.includes(name))).toEqual([]);
  });
});

describe('the form of a raffle', () => {
  it('counts up to the limits of the server', () => {
    type Schema = { properties: Record<string, { maxLength?: number; maxItems?: number }> };
    const of = (name: string) =>
      (openapi.components.schemas as unknown as Record<string, Schema>)[name]!.properties;
    const views = ['ContentView', 'KitPartView', 'ShareTextsView', 'RafflePictureView'];
    const fields = Object.assign({}, ...views.map(of)) as Schema['properties'];
    const limits = Object.entries(fields).flatMap(([name, { maxLength }]) =>
      maxLength === undefined || name === 'upload' ? [] : [[name, maxLength]],
    );
    expect(Object.fromEntries(limits)).toEqual(most);
    expect(fields.kit?.maxItems).toBe(MOST_PARTS);
  });
});
