/**
 * The component `Organization`: one resource for each entry of its sections, named `<name>-<key>`. It registers them with the
 * engine's monitor directly: the SDK's runtime would take longer to load than everything else of the plugin.
 */
import { isSecret, markSecret, organizationType, typeTokens, unknownValue } from "../../values/engine.js";
import { credentials, type ServiceError } from "@grpc/grpc-js";
import { Alias } from "@pulumi/pulumi/proto/alias_pb.js";
import { ConstructResponse, type ConstructRequest } from "@pulumi/pulumi/proto/provider_pb.js";
import { ResourceMonitorClient } from "@pulumi/pulumi/proto/resource_grpc_pb.js";
import * as pb from "@pulumi/pulumi/proto/resource_pb.js";
import { printable } from "../../values/text.js";
import {
  childrenOf,
  droppedOptions,
  sectionNames,
  sectionOf,
  type Child,
  type SectionName,
} from "../../organization-file/entries.js";
import { argsProblems } from "../../organization-file/schema.js";
import { membersOf, type Values } from "../../values/any.js";
import { blockText, errorOf, ownerText, type Diagnostic } from "../../values/diagnostic.js";
import { retainOnDeleteOf } from "../../resources/definition.js";
import { resources } from "../../resources/index.js";
import { plainTokenProblem, tokenKey } from "../settings.js";
import { plainProperties, structOf } from "./values.js";

/** A resource of the component, with the engine's answer to its registration. */
type Registered = Child & { readonly made: pb.RegisterResourceResponse };

/**
 * Registers the component and its resources.
 *
 * @param warn shows a warning at the component
 */
export async function constructOrganization(
  request: ConstructRequest,
  warn: (urn: string, warning: Diagnostic) => Promise<void>,
): Promise<ConstructResponse> {
  requireValid(request);
  const name = request.getName();
  const monitor = new ResourceMonitorClient(request.getMonitorendpoint(), credentials.createInsecure());
  try {
    const urn = (await register(monitor, componentRequest(request))).getUrn();
    const dropped = droppedOptions(name, givenOptions(request));
    if (dropped !== undefined) await warn(urn, dropped);
    const args: Values = request.getInputs()?.toJavaScript() ?? {};
    const children = sectionNames.flatMap((section) => childrenOf(section, name, args, valueReader));
    const registered = await Promise.all(
      children.map(async (child) => ({ ...child, made: await register(monitor, childRequest(request, urn, child)) })),
    );
    requireSuccess(registered);
    const outputs = outputsOf(registered, request.getDryrun());
    await finish(monitor, urn, outputs);
    return constructResponse(urn, registered, outputs);
  } finally {
    monitor.close();
  }
}

/** @throws Error with all problems of the arguments, and no values */
function requireValid(request: ConstructRequest): void {
  const all = [...argsProblems(plainProperties(request.getInputs()).values), ...tokenProblems(request)];
  if (all.length > 0) throw new Error(blockText(ownerText("Organization", request.getName()), all));
}

/** What depends on the component depends on all of its resources, and the engine would go on with it. */
function requireSuccess(registered: readonly Registered[]): void {
  const failed = registered.filter(({ made }) => made.getResult() !== pb.Result.SUCCESS);
  if (failed.length === 0) return;
  const names = failed.map(({ name }) => printable(name)).join(", ");
  throw errorOf("entries-failed", `these of its resources failed: ${names}`);
}

/** The outputs of the component, each of which has one output of the resources of a section. */
const organizationOutputs = new Map(
  sectionNames.flatMap((section) =>
    Object.entries(sectionOf(section).outputs ?? {}).map(([output, rest]) => [output, { section, ...rest }] as const),
  ),
);

const isSecretOutput = (output: string): boolean => organizationOutputs.get(output)?.isPlain !== true;

const inSection = (registered: readonly Registered[], name: string) =>
  registered.filter(({ section }) => section === name);

/** The component's outputs, by the keys of the entries. */
function outputsOf(registered: readonly Registered[], isPreview: boolean): Values {
  const outputs = [...organizationOutputs].map(([output, { section, of }]) => {
    const values = inSection(registered, section).map(({ key, made }) => [key, outputOf(made, of, isPreview)] as const);
    return [output, Object.fromEntries(values)] as const;
  });
  return Object.fromEntries(outputs);
}

function constructResponse(urn: string, registered: readonly Registered[], outputs: Values): ConstructResponse {
  const state = structOf(outputs, Object.keys(outputs).filter(isSecretOutput));
  const response = new ConstructResponse().setUrn(urn).setState(state);
  for (const [output, { section }] of organizationOutputs) {
    const urns = inSection(registered, section).map(({ made }) => made.getUrn());
    const dependencies = new ConstructResponse.PropertyDependencies().setUrnsList(urns);
    response.getStatedependenciesMap().set(output, dependencies);
  }
  return response;
}

/** The names that these options have in programs. */
function givenOptions(request: ConstructRequest): string[] {
  const options = {
    ignoreChanges: request.getIgnorechangesList().length > 0,
    replaceOnChanges: request.getReplaceonchangesList().length > 0,
    deleteBeforeReplace: request.getDeletebeforereplace() === true,
    replaceWith: request.getReplaceWithList().length > 0,
    replacementTrigger: request.hasReplacementTrigger(),
    // YAML and the SDKs of other languages add the component's own outputs.
    additionalSecretOutputs: request
      .getAdditionalsecretoutputsList()
      .some((output) => !organizationOutputs.has(output)),
    hooks: Object.values(request.getResourceHooks()?.toObject() ?? {}).flat().length > 0,
  };
  return Object.entries(options)
    .filter(([, isGiven]) => isGiven)
    .map(([name]) => name);
}

/** The engine says only here which keys of the stack's configuration are secret. An explicit provider has its own token. */
function tokenProblems(request: ConstructRequest): Diagnostic[] {
  if (request.getProvidersMap().has("voiceplane") || !request.getConfigMap().has(tokenKey)) return [];
  return request.getConfigsecretkeysList().includes(tokenKey) ? [] : [plainTokenProblem];
}

/** One output of a resource, without the mark of secrets. Unknown in a preview if the engine could not ask the provider, which adds the organization. */
function outputOf(made: pb.RegisterResourceResponse, name: string, isPreview: boolean): unknown {
  const { values } = plainProperties(made.getObject());
  const wasAsked = values.organization !== undefined;
  return isPreview && !wasAsked ? unknownValue : values[name];
}

/** The options that the engine hands over for the component belong to its resources too. */
function componentRequest(request: ConstructRequest): pb.RegisterResourceRequest {
  return withOptions(request, request.getDependenciesList())
    .setType(organizationType)
    .setName(request.getName())
    .setParent(request.getParent())
    .setCustom(false)
    .setObject(structOf({}))
    .setAliasesList(request.getAliasesList());
}

function childRequest(
  request: ConstructRequest,
  parent: string,
  { section, type, name, args, former }: Child,
): pb.RegisterResourceRequest {
  const given = request.hasRetainondelete() ? request.getRetainondelete() : undefined;
  const retainOnDelete = retainOnDeleteOf(resources[type], args, given);
  // Made anew each time, because `setType` changes them.
  const formerSpecs = () =>
    former.map(({ name: old, isEntry }) => {
      const spec = new Alias.Spec().setName(old);
      return isEntry ? spec : spec.setNoparent(true);
    });
  const ofDynamic = [new Alias.Spec(), ...formerSpecs()].map((spec) => spec.setType(typeTokens.dynamic(type)));
  const aliases = [...ofDynamic, ...formerSpecs()].map((spec) => new Alias().setSpec(spec));
  // Without a version: with one, the engine would start a second default provider.
  const registration = withOptions(request, dependenciesOf(request, section))
    .setType(typeTokens.native(type))
    .setName(name)
    .setParent(parent)
    .setCustom(true)
    .setProvider(request.getProvidersMap().get("voiceplane") ?? "")
    .setObject(structOf(args))
    .setAliasesList(aliases)
    .setCustomtimeouts(timeoutsOf(request));
  // Without any, the engine would take each input for one that every dependency decides: where one is replaced with its delete first, all entries
  // would be replaced too. No input here has to be gone before what it depends on, so an input that changes is an ordinary update.
  for (const property of Object.keys(args))
    registration.getPropertydependenciesMap().set(property, new pb.RegisterResourceRequest.PropertyDependencies());
  return retainOnDelete === undefined ? registration : registration.setRetainondelete(retainOnDelete);
}

/** What the values of a section come from. The component itself has all dependencies, also those by `dependsOn`. */
const dependenciesOf = (request: ConstructRequest, section: SectionName): string[] =>
  [section, "onCreate"].flatMap((property) => request.getInputdependenciesMap().get(property)?.getUrnsList() ?? []);

function timeoutsOf(request: ConstructRequest): pb.RegisterResourceRequest.CustomTimeouts | undefined {
  const given = request.getCustomtimeouts();
  return given && pb.RegisterResourceRequest.CustomTimeouts.deserializeBinary(given.serializeBinary());
}

function withOptions(request: ConstructRequest, dependencies: string[]): pb.RegisterResourceRequest {
  const registration = new pb.RegisterResourceRequest()
    .setAcceptsecrets(true)
    .setAliasspecs(true)
    // With --continue-on-error a failure is then a result and not an error, which would end the wait for the other resources.
    .setSupportsresultreporting(true)
    .setDependenciesList(dependencies)
    .setDeletedwith(request.getDeletedwith());
  if (request.hasProtect()) registration.setProtect(request.getProtect() === true);
  if (request.hasRetainondelete()) registration.setRetainondelete(request.getRetainondelete() === true);
  return registration;
}

/** The members of a map that a preview knows already. Those of a secret map are secret. */
function mapMembers(map: unknown): [string, unknown][] {
  if (isSecret(map)) return mapMembers(map.value).map(([key, value]) => [key, markSecret(value)]);
  return Object.entries(membersOf(map));
}

function mapValue(value: unknown, change: (plain: unknown) => unknown): unknown {
  if (isSecret(value)) return markSecret(mapValue(value.value, change));
  return value === unknownValue ? value : change(value);
}

const valueReader = { members: mapMembers, map: mapValue };

const register = (monitor: ResourceMonitorClient, request: pb.RegisterResourceRequest) =>
  answerOf<pb.RegisterResourceResponse>((respond) => monitor.registerResource(request, respond));

/** Ends the registration of the component. The resources have the secrets, and the state need not repeat them. */
function finish(monitor: ResourceMonitorClient, urn: string, outputs: Values): Promise<unknown> {
  const plain = Object.entries(outputs).filter(([output]) => !isSecretOutput(output));
  const stored = structOf(Object.fromEntries(plain));
  const request = new pb.RegisterResourceOutputsRequest().setUrn(urn).setOutputs(stored);
  return answerOf((respond) => monitor.registerResourceOutputs(request, respond));
}

const isEnding = ({ details }: ServiceError): boolean => details.includes("the client connection is closing");

function answerOf<Response>(
  call: (respond: (error: ServiceError | null, response: Response) => void) => unknown,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    call((error, response) => {
      if (error)
        reject(new Error(isEnding(error) ? "the update has failed elsewhere: read the other error" : error.details));
      else resolve(response);
    });
  });
}
