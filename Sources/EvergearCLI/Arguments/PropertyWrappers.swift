/// A property of a command that is filled from the command line.
protocol Slotted {
    var slot: Slot { get }
}

/// `--name`: false unless it is given.
@propertyWrapper
struct Flag: Slotted {
    let slot: Slot
    private let box: Box<Bool>

    init(wrappedValue: Bool, name: NameSpecification = .long, help: ArgumentHelp) {
        let box = Box(wrappedValue)
        self.box = box
        slot = Slot(.flag, names: name, help: help) { _ in
            box.value = !wrappedValue
            return true
        }
    }

    var wrappedValue: Bool { box.value }
}

/// `--name VALUE`: required, or with a default, or optional, or repeatable, by the property's type and initial value.
@propertyWrapper
struct Option<Value>: Slotted {
    let slot: Slot
    private let box: Box<Value?>

    init(name: NameSpecification = .long, help: ArgumentHelp) where Value: ExpressibleByArgument {
        let box = Box<Value?>(nil)
        self.box = box
        slot = Slot(.option, of: Value.self, names: name, help: help, isRequired: true) { box.value = $0 }
    }

    init(wrappedValue: Value, name: NameSpecification = .long, help: ArgumentHelp) where Value: ExpressibleByArgument {
        let box = Box<Value?>(wrappedValue)
        self.box = box
        slot = Slot(.option, of: Value.self, names: name, help: help, default: wrappedValue) { box.value = $0 }
    }

    init<Wrapped: ExpressibleByArgument>(name: NameSpecification = .long, help: ArgumentHelp) where Value == Wrapped? {
        let box = Box<Value?>(.some(nil))
        self.box = box
        slot = Slot(.option, of: Wrapped.self, names: name, help: help) { box.value = $0 }
    }

    init<Element: ExpressibleByArgument>(
        wrappedValue: Value, name: NameSpecification = .long, help: ArgumentHelp
    ) where Value == [Element] {
        let box = Box<Value?>(wrappedValue)
        self.box = box
        slot = Slot(.option, of: Element.self, names: name, help: help, isRepeating: true) { box.value?.append($0) }
    }

    var wrappedValue: Value { filled(box, slot) }
}

/// A word by its position: required, optional, or all that are left, by the property's type and initial value.
@propertyWrapper
struct Argument<Value>: Slotted {
    let slot: Slot
    private let box: Box<Value?>

    init(help: ArgumentHelp) where Value: ExpressibleByArgument {
        let box = Box<Value?>(nil)
        self.box = box
        slot = Slot(.argument, of: Value.self, help: help, isRequired: true) { box.value = $0 }
    }

    init<Wrapped: ExpressibleByArgument>(help: ArgumentHelp) where Value == Wrapped? {
        let box = Box<Value?>(.some(nil))
        self.box = box
        slot = Slot(.argument, of: Wrapped.self, help: help) { box.value = $0 }
    }

    /// At least one.
    init<Element: ExpressibleByArgument>(help: ArgumentHelp) where Value == [Element] {
        let box = Box<Value?>([])
        self.box = box
        slot = Slot(.argument, of: Element.self, help: help, isRequired: true, isRepeating: true) {
            box.value?.append($0)
        }
    }

    /// Any number.
    init<Element: ExpressibleByArgument>(wrappedValue: Value, help: ArgumentHelp) where Value == [Element] {
        let box = Box<Value?>(wrappedValue)
        self.box = box
        slot = Slot(.argument, of: Element.self, help: help, isRepeating: true) { box.value?.append($0) }
    }

    var wrappedValue: Value { filled(box, slot) }
}

/// Options that several commands share.
@propertyWrapper
struct OptionGroup<Group: ParsableArguments> {
    let wrappedValue: Group
    /// The heading of their own that they get in help; "" puts them among the command's own.
    let title: String

    init(title: String = "") {
        wrappedValue = Group()
        self.title = title
    }
}

protocol Grouping {
    var title: String { get }
    var arguments: any ParsableArguments { get }
}

extension OptionGroup: Grouping {
    var arguments: any ParsableArguments { wrappedValue }
}

/// The parser refuses a command line in which a required value is missing, so none is missing once it is read.
private func filled<Value>(_ box: Box<Value?>, _ slot: Slot) -> Value {
    guard let value = box.value else { preconditionFailure("\(slot.property) was read before it was parsed") }
    return value
}
