/** The chain of the beacon, apart from the code of its signatures, which is large: see beacon.ts. */
export interface Chain {
  chainHash: string;
  publicKey: string;
  /** When the first round is due, in seconds since 1970. */
  genesisTime: number;
  /** The seconds from one round to the next. */
  period: number;
  groupHash: string;
  beaconId: string;
}

/** Pinned here, so that neither the server nor a proof can name another key. */
export const quicknet: Chain = {
  chainHash: '52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971',
  publicKey:
    '83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d106451' +
    '0d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a',
  genesisTime: 1_692_803_367,
  period: 3,
  groupHash: 'f477d5c89f21a17c863a7f937c6a6d15859414d2be09cd448d4279af331c5d3e',
  beaconId: 'quicknet',
};

/** When a round is due, in seconds since 1970. */
export const timeOf = ({ genesisTime, period }: Chain, round: number): number =>
  genesisTime + (round - 1) * period;

/** When a round of quicknet is due, in milliseconds. */
export const dueAt = (round: number): number => timeOf(quicknet, round) * 1_000;

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

/** Whether this is a time as the log writes it. */
export const isTime = (value: unknown): value is string =>
  typeof value === 'string' && TIME.test(value) && !Number.isNaN(Date.parse(value));
