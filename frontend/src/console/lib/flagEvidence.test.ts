import { describe, expect, it } from 'vitest';
import { sentencesOf } from './flagEvidence';

describe('the evidence in sentences', () => {
  it('counts accounts and sign-ups', () => {
    expect(
      sentencesOf([
        { kind: 'shared_network', value: 1_200 },
        { kind: 'same_fingerprint', value: 3 },
        { kind: 'burst', value: 12 },
      ]),
    ).toEqual([
      '1,200 accounts on one network',
      '3 accounts with the same browser',
      '12 sign-ups within ten minutes',
    ]);
  });

  it('tells a share in accounts where their number is known', () => {
    const share = { kind: 'one_referrer', value: 0.75 } as const;
    expect(sentencesOf([{ kind: 'shared_network', value: 40 }, share])).toContain(
      '30 of 40 accounts came through one code',
    );
    expect(sentencesOf([share])).toEqual(["75% of the network's accounts came through one code"]);
  });

  it('names whose code it is', () => {
    const evidence = { kind: 'one_referrer', value: 1, referrerId: 12 } as const;
    expect(sentencesOf([{ kind: 'shared_network', value: 1 }, evidence])).toEqual([
      '1 account on one network',
      '1 of 1 account came through one code, of user 12',
    ]);
  });
});
