// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.simulation;

import static net.bytebuddy.matcher.ElementMatchers.named;

import java.lang.instrument.Instrumentation;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import net.bytebuddy.agent.ByteBuddyAgent;
import net.bytebuddy.agent.builder.AgentBuilder;
import net.bytebuddy.agent.builder.ResettableClassFileTransformer;
import net.bytebuddy.asm.Advice;

/**
 * Faults that the scheduler has had, or might have. Each is planted into the classes that run, and taken out again: the
 * source stays as it is.
 */
@SuppressWarnings("ImmutableEnumChecker") // Its list and its predicate never change.
enum PlantedFault {
    /** Refusals are rare where nothing is proposed that will be refused: here it is. */
    REFUSED_PROPOSALS_STAY_UNCONFIRMED(
            "what is unconfirmed is proposed",
            setting -> !setting.hides(),
            new Change("bridge.NodeOffers", "obstacle", FaultAdvice.NoObstacle.class),
            new Change("bridge.PlannedPlacement", "isHidden", FaultAdvice.DoNothing.class),
            new Change("bridge.ProposalGuard", "uncount", FaultAdvice.DoNothing.class)),
    DEVICES_ARE_CHOSEN_BEFORE_OTHERS_ARE_COMMITTED(
            "a GPU belongs to one container",
            Setting::devices,
            new Change("bridge.NodeDevices", "add", FaultAdvice.OverlookWhatIsNotFetched.class)),
    TAGS_ARE_NOT_FORGOTTEN(
            "nothing is left at the end",
            Setting::devices,
            new Change("bridge.UnfetchedContainers", "tagsEndWith", FaultAdvice.DoNothing.class)),
    GANGS_THAT_LOST_A_MEMBER_ARE_DELIVERED(
            "no gang is delivered in part",
            setting -> true,
            new Change("gang.Delivery", "nodeGoes", FaultAdvice.DoNothing.class),
            new Change("gang.Delivery", "isPartLost", FaultAdvice.DoNothing.class)),
    GANGS_ARE_NOT_HIDDEN_FROM_CAPACITY_SCHEDULER(
            "no gang is delivered in part",
            setting -> true,
            new Change("bridge.NodeOffers", "isPlanned", FaultAdvice.DoNothing.class),
            new Change("bridge.ProposalGuard", "isPlanned", FaultAdvice.DoNothing.class),
            new Change("gang.GangOrderingPolicy", "isHidden", FaultAdvice.DoNothing.class)),
    SIZES_ARE_NOT_ROUNDED(
            "sizes are as YARN rounds them",
            setting -> true,
            new Change("bridge.RoundedSizes", "asked", FaultAdvice.GiveBackTheFirst.class),
            new Change("bridge.RoundedSizes", "fitted", FaultAdvice.GiveBackTheFirst.class)),
    ROOM_STAYS_RESERVED(
            "nothing is left at the end",
            setting -> true,
            new Change("bridge.GangReservations", "remove", FaultAdvice.DoNothing.class)),
    WHAT_IS_REFUSED_IS_OFFERED_FOR_EVER(
            "nothing that is refused is proposed for ever",
            setting -> true,
            new Change("bridge.NodeOffers", "obstacle", FaultAdvice.NoObstacle.class),
            new Change("bridge.NodeOffers", "isLeftToPlanner", FaultAdvice.DoNothing.class),
            new Change("bridge.Refusals", "isLeftOut", FaultAdvice.DoNothing.class),
            new Change("gang.GangOrderingPolicy", "isHidden", FaultAdvice.DoNothing.class)),
    MEMBERS_ARE_NOT_TAKEN_BACK(
            "no gang is delivered in part",
            setting -> true,
            new Change("bridge.TakingBack", "of", FaultAdvice.DoNothing.class)),
    ENDED_GANGS_ARE_KEPT(
            "nothing is left at the end",
            setting -> true,
            new Change("gang.GangTable", "remove", FaultAdvice.DoNothing.class)),
    RESERVATIONS_OF_PLAIN_TIMES_STAY(
            "no node is reserved for a gang whose tasks come through plans",
            Occasions.policyFailsForAWhile(),
            new Change("bridge.NodeReservations", "dropThoseOf", FaultAdvice.DoNothing.class),
            new Change("bridge.PlannedPlacement", "isHidden", FaultAdvice.DoNothing.class)),
    ROOM_IS_NOT_COLLECTED(
            "what a queue is owed comes",
            Occasions.gangBesideFlood(false),
            new Change("scheduler.ReservationRounds", "afterPlan", FaultAdvice.DoNothing.class)),
    VCORES_BEYOND_ASKS_ARE_KEPT(
            "what fits is granted",
            Occasions.gangWithAllVcores(),
            new Change("bridge.OthersWaiting", "kept", FaultAdvice.DoNothing.class)),
    GANGS_ARE_PREEMPTED_IN_PART(
            "no gang is preempted in part",
            Setting::preempts,
            new Change("bridge.GangMembers", "wholeGang", FaultAdvice.OfTheFirst.class)),
    PREEMPTION_KILLS_FOR_GANGS_THAT_CANNOT_START(
            "what is preempted for gangs is what they ask for",
            Occasions.gangBesideFlood(true),
            new Change("scheduler.ReservationRounds", "afterPlan", FaultAdvice.DoNothing.class),
            new Change("bridge.GangPreemptionPolicy", "hide", FaultAdvice.DoNothing.class),
            new Change("bridge.GangPreemptionPolicy", "isLooking", FaultAdvice.DoNothing.class));

    /**
     * @param type class below io.treadle.rm
     * @param method all methods of this name change
     * @param advice what they do
     */
    private record Change(String type, String method, Class<?> advice) {}

    private static final int SEEDS = 40;

    private final String rule;
    private final Predicate<Setting> where;
    private final Optional<Scenario> occasion;
    private final List<Change> changes;

    /**
     * @param rule the rule that it breaks
     * @param where clusters in which it can do harm
     */
    PlantedFault(String rule, Predicate<Setting> where, Change... changes) {
        this.rule = rule;
        this.where = where;
        this.occasion = Optional.empty();
        this.changes = List.of(changes);
    }

    /**
     * @param rule the rule that it breaks
     * @param occasion what must happen for it to do harm, which is rare among the first seeds
     */
    PlantedFault(String rule, Scenario occasion, Change... changes) {
        this.rule = rule;
        this.where = setting -> true;
        this.occasion = Optional.of(occasion);
        this.changes = List.of(changes);
    }

    /** The rule that a simulation with it breaks: not just any. */
    String rule() {
        return rule;
    }

    /** What may find it: those of the first seeds where it can do harm. */
    Stream<Scenario> scenarios() {
        return occasion.isPresent()
                ? occasion.stream()
                : LongStream.rangeClosed(1, SEEDS)
                        .mapToObj(Scenario::from)
                        .filter(scenario -> where.test(scenario.setting()));
    }

    /** A fault that is there until it is closed. */
    interface Planted extends AutoCloseable {
        @Override
        void close();
    }

    Planted plant() {
        Instrumentation instrumentation = ByteBuddyAgent.install();
        AgentBuilder builder = new AgentBuilder.Default()
                .disableClassFormatChanges()
                .with(AgentBuilder.RedefinitionStrategy.RETRANSFORMATION)
                .with(AgentBuilder.TypeStrategy.Default.REDEFINE)
                .with(AgentBuilder.InitializationStrategy.NoOp.INSTANCE);
        for (Change change : changes) {
            builder = builder.type(named("io.treadle.rm." + change.type()))
                    .transform((type, description, loader, module, domain) ->
                            type.visit(Advice.to(change.advice()).on(named(change.method()))));
        }
        ResettableClassFileTransformer planted = builder.installOn(instrumentation);
        return () -> planted.reset(instrumentation, AgentBuilder.RedefinitionStrategy.RETRANSFORMATION);
    }
}
